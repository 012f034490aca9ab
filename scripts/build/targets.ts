/** A machine that the executable can be made for. */
export interface Target {
  /** What `Deno.build.target` says on it. */
  triple: string;
  /** What people call it; also what the finished file's message says. */
  machine: string;
  /** The npm package that carries the Deno CLI for it. */
  denoPackage: string;
}

const TARGETS: readonly Target[] = [
  { triple: "x86_64-unknown-linux-gnu", machine: "x64", denoPackage: "@deno/linux-x64-glibc" },
  { triple: "aarch64-unknown-linux-gnu", machine: "arm64", denoPackage: "@deno/linux-arm64-glibc" },
];

/** Every target, as `--target` takes it. */
export const TARGET_NAMES: readonly string[] = TARGETS.map(({ machine }) => `linux-${machine}`);

/**
 * The target that `--target` names: `linux-x64`, `linux-arm64`, or the triple; absent = this machine.
 *
 * @throws {Error} for a machine that there is no build for.
 */
export function targetOf(name: string = Deno.build.target): Target {
  const target = TARGETS.find(({ triple, machine }) => name === triple || name === `linux-${machine}`);
  if (target !== undefined) return target;
  throw new Error(`there is no build for ${name}: the targets are ${TARGET_NAMES.join(" and ")}.`);
}
