import { BEEUNI_TOOLS } from "../../beeuni_tools/registry.ts";
import { BeeuniError } from "../../errors/error.ts";
import { MANIFEST_NAME } from "../find_manifest.ts";
import { readManifestFiles } from "../imports.ts";
import { mergeSections } from "../merge.ts";
import type { Manifest } from "../model.ts";
import { inspectPath } from "../project_path.ts";
import { requireComplete } from "../require_complete.ts";
import type { SourceFile } from "../source_file.ts";
import { entryLine, type NewEntry } from "./insert_entry.ts";
import { planToolEdit } from "./plan_tool_edit.ts";
import { editRefusal } from "./refusal.ts";

/** An edit of one manifest file, checked but not written. */
export interface ManifestEdit {
  /** Repo-relative path of the file. */
  file: string;
  /** Its absolute path, without links: what to replace. */
  path: string;
  before: Uint8Array;
  after: Uint8Array;
  /** Other Beeuni tools that were listed, because a first `tools` key would have removed them. */
  listed: string[];
}

/**
 * Makes a line of `tools` name a module (specification 1.8): in the file that declares the name, else in the root file
 * when it has a `tools` key, else in the first imported file that has one; without any, in a new block of the root
 * file that lists the Beeuni tools too. Every other byte stays.
 *
 * @param manifest The manifest as read; its files are read again, so that nothing stale is edited.
 * @param entry Name, path of the module, and a comment for the end of the line, which replaces the line's own.
 * @throws {BeeuniError} `edit_refused` where the text can't be edited safely, with the line and what to type;
 * `manifest_invalid` when part of the manifest is unknown.
 */
export function editTool(manifest: Manifest, entry: NewEntry): ManifestEdit {
  requireComplete(manifest);
  const root = { path: manifest.root, real: Deno.realPathSync(manifest.root) };
  const files = readManifestFiles(root);
  const declared = mergeSections(files).tools.get(entry.name);
  const withKey = files.find(({ root }) => root?.entries.has("tools"));
  const file = declared?.file ?? withKey ?? files[0];
  if (file?.root === undefined) {
    throw new BeeuniError("manifest_invalid", `${MANIFEST_NAME} changed while it was read: try again.`);
  }
  refuseDuplicates(files, entry);
  const found = inspectPath(root, file.path);
  if (found.kind !== "file") {
    throw editRefusal(file, { offset: 0, what: "a file behind a symlink that leaves the repository" }, [
      entryLine(entry),
    ]);
  }
  const after = planToolEdit(file, entry);
  const encoder = new TextEncoder();
  const bom = file.bom ? "\ufeff" : "";
  return {
    file: file.path,
    path: found.real,
    before: encoder.encode(bom + file.text),
    after: encoder.encode(bom + after),
    listed: withKey === undefined ? BEEUNI_TOOLS.filter((name) => name !== entry.name) : [],
  };
}

/** A name that stands twice: to change one of the two would say nothing. */
function refuseDuplicates(files: readonly SourceFile[], entry: NewEntry): void {
  for (const file of files) {
    const twice = file.problems.find(({ code, segments: [section, name, ...rest] }) =>
      (code === "duplicate_key" || code === "duplicate_name") && section === "tools" && name === entry.name &&
      rest.length === 0
    );
    if (twice === undefined) continue;
    const what = `\`${entry.name}\` stands twice and`;
    throw editRefusal(file, { offset: twice.offset, what }, [entryLine(entry)]);
  }
}
