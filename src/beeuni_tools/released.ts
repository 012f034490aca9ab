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
    { version: "0.1.0", sha256: "acfedd226ef92a1777bc443cf7da8ec88d7590a99f85a3706bc3708118a66b3c" },
  ],
  image_search: [
    { version: "0.1.0", sha256: "df0297a431f44818e4e0ae67ef7dad99085c22fa974eb2bce1fa42b523d55da5" },
  ],
  scrape_webpage: [
    { version: "0.1.0", sha256: "65ad10e9f458ee0bb99ac48255429bf1eae1e650547596a8885d2ea0a7c85790" },
  ],
  memory: [
    { version: "0.1.0", sha256: "4ef50c418c178212fe7902893b118b957b91e2c68fb471e8b86cf22e44c5ea16" },
  ],
  show: [
    { version: "0.1.0", sha256: "d9699f44b5d66ba9d9c4a1ddfc4b7dfe858e5d85db2bb6c758ff613e6491a808" },
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
