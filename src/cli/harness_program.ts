import type { Command } from "commander";
import { addCommand, addNoun, type Start } from "./define.ts";

/** Adds `beeuni harness`, with its commands unless the line needs none of them. */
export function addHarness(program: Command, start: Start, withCommands: boolean): void {
  const harness = addNoun(
    program,
    "harness",
    "Give the project's tools to an OpenCode that you start",
    "beeuni harness install-plugin",
  );
  if (!withCommands) return;
  addCommand(harness, {
    name: "install-plugin",
    summary: "Write the plugin with the project's tools, for an OpenCode that you start",
    example: "beeuni harness install-plugin --dir ~/.config/opencode/plugin",
    options: [{
      flags: "--dir <dir>",
      description: "Folder for the plugin (default: opencode/plugin in $XDG_CONFIG_HOME or ~/.config)",
    }],
    load: async () => (await import("./commands/harness_install_plugin.ts")).harnessInstallPlugin,
  }, start);
}
