import { createHash } from "node:crypto";
import type { BeeuniToolName } from "./registry.ts";

/** The text of one tool's module as a version of Beeuni was released with it. */
export interface ReleasedModule {
  /** The first version that had this text. */
  version: string;
  /** SHA-256 of the file, in hex. */
  sha256: string;
}

/**
 * Every text each module was released with, oldest first; the last is the one this version runs.
 *
 * A project's file that is one of the older ones is an ejected copy nobody has changed. Written by
 * `scripts/record_release.ts`; a test fails while the last row is not the file beside this one.
 */
export const RELEASED: Readonly<Record<BeeuniToolName, readonly ReleasedModule[]>> = {
  web_search: [
    { version: "0.1.0", sha256: "b476bd0092851fa63e1079d1151a6a18711725f7afc2b0920a892279952a5342" },
  ],
  image_search: [
    { version: "0.1.0", sha256: "bfd67b0193030303ed881f321571fc5129d31e397ac8cdce7ad8a194e5eac1ad" },
  ],
  scrape_webpage: [
    { version: "0.1.0", sha256: "031098804dfb3f3d81579538c6d47ebc041edd7fb7ef91c97c149aa1ebc63e9c" },
  ],
  memory: [
    { version: "0.1.0", sha256: "9c1adee07b046ef42f474f79355ec5fca29098ea5026e461eeeb0c0ca854ac26" },
  ],
  show: [
    { version: "0.1.0", sha256: "fde80932909620aaf4450b2bdeda6de46abd42a43081c8af8ce00f9a4120ba17" },
  ],
};

/** SHA-256 of a module's bytes, in hex, as the table has it. */
export function moduleHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The release an ejected copy comes from.
 *
 * @param sha256 What {@link moduleHash} gives for the project's file.
 * @returns the version and whether that text is outdated; undefined when the project has changed the copy.
 */
export function releaseOf(
  name: BeeuniToolName,
  sha256: string,
): { version: string; outdated: boolean } | undefined {
  const rows = RELEASED[name];
  const row = rows.find((candidate) => candidate.sha256 === sha256);
  return row && { version: row.version, outdated: row !== rows.at(-1) };
}
