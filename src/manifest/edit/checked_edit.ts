import type { MergedSection } from "../keys.ts";
import type { Located } from "../parse/located.ts";
import { parseSource, type SourceFile } from "../source_file.ts";
import { applySplices, type Splice } from "./splice.ts";

/** What an edit is meant to change in a section: each name gets its value, and new names come last. */
export interface IntendedChange {
  section: MergedSection;
  entries: readonly { name: string; value: string }[];
}

/** A value with its keys in order, to compare by. */
type Ordered = string | number | boolean | null | { list: Ordered[] } | {
  map: [name: string, value: Ordered][];
};

/**
 * The text after an edit, or `undefined` when it would say anything else than intended: it is parsed again, and must
 * differ from the old one by the change alone, and have no error that the old one has not.
 *
 * @param file The file before the edit; its text is read as it is there.
 */
export function checkedEdit(
  file: SourceFile,
  splices: readonly Splice[],
  change: IntendedChange,
): string | undefined {
  if (file.root === undefined) return undefined;
  const text = applySplices(file.text, splices);
  const after = parseSource(new TextEncoder().encode(text), file.path);
  if (after.root === undefined || after.text !== text) return undefined;
  const known = new Set(file.problems.map(problemId));
  if (after.problems.some((problem) => !known.has(problemId(problem)))) return undefined;
  const expected = changed(ordered(file.root), change);
  return JSON.stringify(ordered(after.root)) === JSON.stringify(expected) ? text : undefined;
}

function problemId({ code, segments }: { code: string; segments: readonly string[] }): string {
  return JSON.stringify([code, segments]);
}

function ordered(value: Located): Ordered {
  if (value.kind === "list") return { list: value.items.map(ordered) };
  if (value.kind === "map") {
    return { map: [...value.entries.values()].map(({ name, value }) => [name, ordered(value)]) };
  }
  // NaN stands for what is wrong as YAML: it must not compare equal to null.
  return typeof value.data === "number" ? String(value.data) + " (number)" : value.data;
}

function changed(root: Ordered, { section, entries }: IntendedChange): Ordered {
  const top = mapOf(root);
  const inner = [...mapOf(top.find(([name]) => name === section)?.[1] ?? null)];
  for (const { name, value } of entries) {
    const index = inner.findIndex(([known]) => known === name);
    if (index === -1) inner.push([name, value]);
    else inner[index] = [name, value];
  }
  const map = { map: inner };
  return top.some(([name]) => name === section)
    ? { map: top.map(([name, value]) => [name, name === section ? map : value]) }
    : { map: [...top, [section, map]] };
}

function mapOf(value: Ordered): [string, Ordered][] {
  return typeof value === "object" && value !== null && "map" in value ? value.map : [];
}
