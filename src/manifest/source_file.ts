import { checkStructure } from "./check_structure.ts";
import type { Position } from "./model.ts";
import { decode, tooLarge } from "./parse/decode.ts";
import { LineIndex } from "./parse/line_index.ts";
import type { LocatedMap } from "./parse/located.ts";
import { parseManifestText } from "./parse/parse.ts";
import type { Problem } from "./parse/problem.ts";

/** One manifest file as read. */
export interface SourceFile {
  /** Repo-relative. */
  path: string;
  /** Its text without a BOM. */
  text: string;
  /** Whether it starts with a BOM. */
  bom: boolean;
  lines: LineIndex;
  /** The top-level map; absent when the file can't be read or is no YAML. */
  root?: LocatedMap;
  /** What is wrong in it: bytes, YAML, and the manifest's JSON Schema. */
  problems: Problem[];
}

/**
 * Reads and checks one manifest file; what is wrong is in `problems`.
 *
 * @param absolute Where it is.
 * @param path The same, repo-relative.
 */
export function readSourceFile(absolute: string, path: string): SourceFile {
  let bytes: Uint8Array;
  try {
    const problem = tooLarge(Deno.statSync(absolute).size);
    if (problem !== undefined) return unusable(path, problem);
    bytes = Deno.readFileSync(absolute);
  } catch (error) {
    const denied = error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable;
    const message = `The file can't be read${denied ? ": permission denied" : ""}.`;
    return unusable(path, { code: "file_unreadable", message, offset: 0, segments: [] });
  }
  return parseSource(bytes, path);
}

/** The same for bytes at hand. */
export function parseSource(bytes: Uint8Array, path: string): SourceFile {
  const { text, bom, problem } = decode(bytes);
  const lines = new LineIndex(text);
  if (problem !== undefined) return { path, text, bom, lines, problems: [problem] };
  const { root, problems } = parseManifestText(text, lines);
  const file: SourceFile = { path, text, bom, lines, problems };
  if (root === undefined) return file;
  file.root = root;
  const known = new Set(problems.map(({ segments }) => JSON.stringify(segments)));
  // A value that YAML itself got wrong is `null` to the schema: one issue is enough.
  problems.push(...checkStructure(root).filter(({ segments }) => !known.has(JSON.stringify(segments))));
  return file;
}

function unusable(path: string, problem: Problem): SourceFile {
  return { path, text: "", bom: false, lines: new LineIndex(""), problems: [problem] };
}

/** A place in a file, as issues name it. */
export function positionOf(file: SourceFile, offset: number): Position {
  return { file: file.path, ...file.lines.at(offset) };
}
