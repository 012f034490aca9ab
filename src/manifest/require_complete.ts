import { BeeuniError } from "../errors/error.ts";
import type { Manifest } from "./model.ts";

/**
 * Refuses a manifest of which part is unknown, for commands that list or load what it declares.
 *
 * @throws {BeeuniError} `manifest_invalid` with `details.issues`
 */
export function requireComplete(manifest: Manifest): void {
  if (!manifest.incomplete) return;
  const errors = manifest.issues.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const place = first === undefined ? "" : `: ${first.file}:${first.line}:${first.column}: ${first.message}`;
  throw new BeeuniError("manifest_invalid", `beeuni.yaml can't be used${place}`, {
    hint: errors.length > 1
      ? `Run \`beeuni validate\` for all ${errors.length} errors.`
      : "Run `beeuni validate` after the change.",
    details: { issues: manifest.issues },
  });
}
