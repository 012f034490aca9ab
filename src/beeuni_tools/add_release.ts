import type { ReleasedModule } from "./released.ts";

/** What is about to be recorded for one tool. */
export interface NewRelease extends ReleasedModule {
  /** Whether `version` is out in the world, so that its text may not change any more. */
  isOut: boolean;
}

/**
 * The rows of one tool with its present text as the last one.
 *
 * The same text adds nothing. A text that changes before its version is out replaces the row of that version; an
 * older text that comes back is not outdated any more, so its older row goes.
 *
 * @throws {Error} when the text changed after its version was released.
 */
export function addRelease(rows: readonly ReleasedModule[], release: NewRelease): readonly ReleasedModule[] {
  const { version, sha256, isOut } = release;
  const last = rows.at(-1);
  if (last?.sha256 === sha256) return rows;
  if (last?.version === version && isOut) {
    throw new Error(
      `The module changed after ${version} was released: raise the version in deno.json first.`,
    );
  }
  const others = rows.filter((row) => row.version !== version && row.sha256 !== sha256);
  return [...others, { version, sha256 }];
}
