import { basename } from "node:path";
import { compileGlob } from "./glob_pattern.ts";
import { compileRegex } from "./compile_regex.ts";
import { matchLines } from "./match_lines.ts";
import type { GlobRequest, GrepRequest, LineMatch, SearchAnswer, SearchRequest } from "./messages.ts";
import { walk } from "./walk.ts";

/** Answers one request; blocks until it is done. */
export function search(request: SearchRequest): SearchAnswer {
  return request.kind === "glob" ? globFiles(request) : grepFiles(request);
}

function globFiles({ root, start, pattern, limit }: GlobRequest): SearchAnswer {
  const wanted = filter(pattern);
  const files: string[] = [];
  // As ripgrep does: hidden ones only when the pattern speaks of them.
  const hidden = /(?:^|[/!{,])\.[^/.]/.test(pattern);
  for (const path of walk({ start, root, hidden })) {
    if (!wanted(path)) continue;
    if (files.length === limit) return { files, more: true };
    files.push(path);
  }
  return { files, more: false };
}

function grepFiles({ root, start, pattern, include, limit }: GrepRequest): SearchAnswer {
  let regex: RegExp;
  try {
    regex = compileRegex(pattern);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
  const wanted = include === undefined ? () => true : filter(include);
  const matches: LineMatch[] = [];
  const isFile = Deno.lstatSync(start).isFile;
  for (const path of isFile ? [""] : walk({ start, root, hidden: true })) {
    if (!wanted(isFile ? basename(start) : path)) continue;
    try {
      for (const match of matchLines(isFile ? start : `${start}/${path}`, regex)) {
        if (matches.length === limit) return { matches, more: true };
        matches.push({ path, ...match });
      }
    } catch {
      // A file that can't be read is left out, as ripgrep does it.
    }
  }
  return { matches, more: false };
}

/** Whether a pattern wants a file: a leading `!` turns it round, none at all wants every file. */
function filter(pattern: string): (path: string) => boolean {
  const negated = pattern.startsWith("!");
  const body = (negated ? pattern.slice(1) : pattern).replace(/^\.\//, "");
  if (body === "" || body === "/") return () => true;
  const fits = compileGlob(body, { braces: true });
  return (path) => fits.test(path) !== negated;
}
