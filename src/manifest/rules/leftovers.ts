import { isBeeuniTool } from "../../beeuni_tools/registry.ts";
import type { Issue, Manifest } from "../model.ts";
import { below } from "../paths.ts";

/** Where the standard harness looks for tools of its own; on it they win over hosted tools (specification 4.1). */
const HARNESS_TOOL_FOLDER = "harnesses/opencode/tools";

/** Warns of copies of Beeuni tools in the harness's folder: they would hide the tools that are kept up to date. */
export function leftoverTools(manifest: Pick<Manifest, "root">): Issue[] {
  let names: string[];
  try {
    names = [...Deno.readDirSync(below(manifest.root, HARNESS_TOOL_FOLDER))].map(({ name }) => name).sort();
  } catch {
    return []; // no such folder, as in most projects
  }
  return names.flatMap((name): Issue[] => {
    const tool = /^(.+)\.(?:ts|js)$/.exec(name)?.[1];
    if (tool === undefined || !isBeeuniTool(tool)) return [];
    return [{
      severity: "warning",
      code: "leftover_tool",
      path: `tools.${tool}`,
      message: `This copy wins over the Beeuni tool ${tool} on the standard harness: delete it.`,
      file: `${HARNESS_TOOL_FOLDER}/${name}`,
      line: 1,
      column: 1,
    }];
  });
}
