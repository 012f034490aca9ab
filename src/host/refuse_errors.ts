import { BeeuniError } from "../errors/error.ts";
import type { Manifest } from "../manifest/model.ts";

/** Issues that tell of a module's file, not of the manifest: they cost one tool, which is then in `failed`. */
const MODULE_STATE = ["module_missing", "module_kind", "module_symlink"];

/**
 * Refuses a manifest for a reload: the old tools stay (specification 2.7).
 *
 * @throws {BeeuniError} `manifest_invalid` with `details.issues`.
 */
export function refuseErrors(manifest: Manifest): void {
  const errors = manifest.issues.filter(({ severity, code }) =>
    severity === "error" && !MODULE_STATE.includes(code)
  );
  const [first] = errors;
  if (first === undefined) return;
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more)`;
  const place = `${first.file}:${first.line}:${first.column}: ${first.path === "" ? "" : `${first.path} `}`;
  throw new BeeuniError(
    "manifest_invalid",
    `beeuni.yaml has errors, the tools stay as they were: ${place}${first.message}${more}`,
    {
      hint: "Run `beeuni validate`, mend the manifest, and reload again.",
      details: { issues: manifest.issues },
    },
  );
}
