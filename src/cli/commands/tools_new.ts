import { isBeeuniTool } from "../../beeuni_tools/registry.ts";
import { BeeuniError } from "../../errors/error.ts";
import { editTool } from "../../manifest/edit/edit_tool.ts";
import { moduleTarget } from "../../manifest/edit/module_target.ts";
import { replaceFiles } from "../../manifest/edit/replace_files.ts";
import { isHarnessTool } from "../../manifest/harness_tools.ts";
import { TOOL_NAME } from "../../manifest/patterns.ts";
import { readManifest } from "../../manifest/read.ts";
import type { CommonOptions } from "../command.ts";
import { newToolModule } from "../new_tool_module.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link toolsNew}. */
export interface ToolsNewOptions extends CommonOptions {
  name: string;
}

const FOLDER = "tools";

/**
 * `beeuni tools new`: writes `tools/<name>.ts` and its line in the manifest, both or neither (specification 2.7).
 *
 * @throws {BeeuniError} `usage` for a name no tool may have, `file_exists` when there is such a tool or file,
 *   `edit_refused`, `unwritable`, `no_manifest`, `manifest_invalid`.
 */
export function toolsNew({ name, project, json }: ToolsNewOptions): CommandResult {
  checkName(name);
  const manifest = readManifest(project === undefined ? {} : { project });
  const taken = [...manifest.tools, ...manifest.broken].find((tool) => tool.name === name);
  if (taken !== undefined) {
    throw new BeeuniError("file_exists", `there is a tool named ${name} already: ${taken.source}.`, {
      hint: "Choose another name.",
    });
  }
  const source = `${FOLDER}/${name}.ts`;
  const path = moduleTarget({ path: manifest.root, real: Deno.realPathSync(manifest.root) }, source);
  const edit = editTool(manifest, { name, value: source });
  replaceFiles([
    { path, name: source, bytes: new TextEncoder().encode(newToolModule(name)) },
    { path: edit.path, name: edit.file, bytes: edit.after, expected: edit.before },
  ]);
  const { file, listed } = edit;
  if (json) return { stdout: jsonDocument({ name, wrote: source, set: file, listed }), exitCode: 0 };
  const lines = [
    `  wrote   ${source}`,
    `  set     ${file}: tools.${name}: ${source}`,
    ...(listed.length === 0 ? [] : [
      `  listed  ${listed.map((tool) => `${tool}: beeuni:${tool}`).join(", ")} (so the Beeuni tools stay)`,
    ]),
    "",
    "Next:",
    `  1. Edit ${source}: description, parameters, execute(args, context).`,
    "  2. beeuni validate --load",
    `  3. beeuni tools call ${name} --args '{"text":"hello"}'`,
  ];
  return { stdout: lines.map((line) => `${line}\n`).join(""), exitCode: 0 };
}

function checkName(name: string): void {
  if (!new RegExp(TOOL_NAME, "u").test(name)) {
    throw new BeeuniError("usage", `${JSON.stringify(name)} can't be the name of a tool.`, {
      hint: "Use 1 to 64 of the characters a-z 0-9 _, a letter first, such as lookup_order.",
    });
  }
  const owner = isHarnessTool(name)
    ? "a tool of the harness"
    : isBeeuniTool(name)
    ? "a Beeuni tool"
    : undefined;
  if (owner !== undefined) {
    throw new BeeuniError("usage", `${name} is the name of ${owner}.`, { hint: "Choose another name." });
  }
}
