import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from "diff";
import { isBeeuniTool } from "../beeuni_tools/registry.ts";
import { findEngine } from "../engine/engine.ts";
import { BeeuniError } from "../errors/error.ts";
import type { Manifest } from "../manifest/model.ts";
import { below } from "../manifest/paths.ts";
import { type CommandResult, jsonDocument } from "./commands/result.ts";

/** Longest search for the shortest diff, in milliseconds. */
const DIFF_TIMEOUT_MS = 2_000;

/**
 * `beeuni tools eject --diff <name>`: how the project's module differs from the Beeuni tool of this version, as a
 * unified diff from the one to the other; a sentence when the bytes are the same.
 *
 * @param name A Beeuni tool.
 * @throws {BeeuniError} `tool_not_found` when the project has no module of its own for it, or one that can't be used.
 */
export function ejectDiff(manifest: Manifest, name: string, json: boolean): CommandResult {
  const path = ownModule(manifest, name);
  const copy = Deno.readFileSync(below(manifest.root, path));
  const current = Deno.readFileSync(`${findEngine().tools}/${name}.ts`);
  const source = `beeuni:${name}`;
  const identical = copy.length === current.length && copy.every((byte, index) => byte === current[index]);
  const diff = identical ? "" : unifiedDiff({ name: source, bytes: current }, { name: path, bytes: copy });
  const stdout = json
    ? jsonDocument({ name, path, identical, diff })
    : identical
    ? `${path} is the same as ${source}.\n`
    : diff;
  return { stdout, exitCode: 0 };
}

function ownModule({ tools, broken, toolsKey }: Manifest, name: string): string {
  const tool = tools.find((tool) => tool.name === name);
  if (tool?.kind === "beeuni (overridden)" && isBeeuniTool(name)) return tool.source;
  const entry = broken.find((tool) => tool.name === name);
  if (entry !== undefined) {
    throw new BeeuniError("tool_not_found", `${name} can't be compared: ${entry.error}`, {
      hint: "Run `beeuni validate` after the change.",
    });
  }
  const state = tool === undefined && toolsKey ? "removed it" : `runs beeuni:${name}`;
  throw new BeeuniError("tool_not_found", `${name} has no copy to compare: the project ${state}.`, {
    hint: `Run \`beeuni tools eject ${name}\` to get one.`,
  });
}

/** One side of a diff. */
interface Side {
  name: string;
  bytes: Uint8Array;
}

function unifiedDiff(from: Side, to: Side): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const [before, after] = [decoder.decode(from.bytes), decoder.decode(to.bytes)];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, timeout: DIFF_TIMEOUT_MS };
  const diff = createTwoFilesPatch(from.name, to.name, before, after, undefined, undefined, options);
  return diff ?? wholeDiff({ name: from.name, text: before }, { name: to.name, text: after });
}

/** All lines of the one, then all of the other: for two that have too little in common to search for it. */
function wholeDiff(from: { name: string; text: string }, to: { name: string; text: string }): string {
  const [before, after] = [linesOf(from.text), linesOf(to.text)];
  const hunk = {
    oldStart: 1,
    oldLines: before.length,
    newStart: 1,
    newLines: after.length,
    lines: [...marked("-", before), ...marked("+", after)],
  };
  const names = { oldFileName: from.name, newFileName: to.name };
  return formatPatch(
    { ...names, oldHeader: undefined, newHeader: undefined, hunks: [hunk] },
    FILE_HEADERS_ONLY,
  );
}

/** Lines with their line breaks. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(sign: string, lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n") ? sign + line.slice(0, -1) : [sign + line, "\\ No newline at end of file"]
  );
}
