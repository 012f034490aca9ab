import { packageOf } from "./module_paths.ts";

/** Packages a tool imports to register itself with a harness: such a module is a tool of that harness alone. */
const HARNESS_PACKAGES: readonly string[] = [
  "@opencode-ai/plugin",
  "@opencode-ai/sdk",
  "@kilocode/plugin",
  "@earendil-works/pi-agent-core",
  "@earendil-works/pi-coding-agent",
  "@mariozechner/pi-agent-core",
  "@mariozechner/pi-coding-agent",
];

/** Whether a specifier names a package of a harness, or something in it. */
export function isHarnessPackage(specifier: string): boolean {
  const name = packageOf(specifier);
  for (let index = 0; index < HARNESS_PACKAGES.length; index++) {
    if (HARNESS_PACKAGES[index] === name) return true;
  }
  return false;
}
