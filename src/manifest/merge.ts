import { MERGED_SECTIONS, type MergedSection } from "./keys.ts";
import type { LocatedEntry } from "./parse/located.ts";
import { quote } from "./quote.ts";
import type { SourceFile } from "./source_file.ts";

/** One entry of a section, and the file it stands in. */
export interface Declared {
  file: SourceFile;
  entry: LocatedEntry;
}

/** The sections of all files as one, each in file order. */
export type Sections = Readonly<Record<MergedSection, ReadonlyMap<string, Declared>>>;

/**
 * Puts the sections of all files together. A name that two files declare is a problem of the second one, which names
 * both (specification 1.2); the first entry stays, and is broken like the second.
 */
export function mergeSections(files: readonly SourceFile[]): Sections {
  const sections = Object.fromEntries(
    MERGED_SECTIONS.map((section) => [section, mergeSection(section, files)]),
  );
  return sections as Record<MergedSection, Map<string, Declared>>;
}

function mergeSection(section: MergedSection, files: readonly SourceFile[]): Map<string, Declared> {
  const merged = new Map<string, Declared>();
  for (const file of files) {
    const value = file.root?.entries.get(section)?.value;
    if (value?.kind !== "map") continue;
    for (const entry of value.entries.values()) {
      const first = merged.get(entry.name);
      if (first === undefined) {
        merged.set(entry.name, { file, entry });
        continue;
      }
      const message = `${quote(entry.name)} is declared in ${place(first)} and in ${
        place({ file, entry })
      }: remove one.`;
      file.problems.push({
        code: "duplicate_name",
        message,
        offset: entry.keyStart,
        segments: [section, entry.name],
      });
    }
  }
  return merged;
}

function place({ file, entry }: Declared): string {
  return `${file.path}:${file.lines.at(entry.keyStart).line}`;
}
