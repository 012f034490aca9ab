import { mayHaveEjectComment } from "../../manifest/edit/eject_comment.ts";
import type { FindOptions } from "../../manifest/find_manifest.ts";
import type { Manifest, ToolEntry } from "../../manifest/model.ts";
import { below } from "../../manifest/paths.ts";
import { shown } from "../../manifest/quote.ts";
import { readManifest } from "../../manifest/read.ts";
import { requireComplete } from "../../manifest/require_complete.ts";
import type { EjectedCopy } from "../ejected_copy.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** Options of {@link toolsLs}. */
export interface ToolsLsOptions extends FindOptions {
  json?: boolean;
}

/**
 * `beeuni tools ls`: every tool a session gets, then the Beeuni tools the project removed (specification 1.7).
 *
 * Exit code 1 when an entry is broken.
 *
 * @throws {BeeuniError} `no_manifest`; `manifest_invalid` when part of the manifest is unknown.
 */
export async function toolsLs(options: ToolsLsOptions = {}): Promise<CommandResult> {
  const manifest = readManifest(options);
  requireComplete(manifest);
  const stdout = options.json ? jsonDocument(await listing(manifest)) : text(manifest);
  return { stdout, exitCode: manifest.broken.length > 0 ? 1 : 0 };
}

async function listing(manifest: Manifest) {
  const { file, toolsKey, tools, removed, broken } = manifest;
  const copies = await findCopies(manifest);
  return {
    manifest: file,
    tools_key: toolsKey,
    tools: tools.map(({ name, kind, source }) => ({ name, kind, source, ...copies?.get(name) })),
    removed,
    ...(broken.length > 0 && { broken: broken.map(({ name, error }) => ({ name, error })) }),
  };
}

/** What is known of ejected copies; a project without any does not wait for the code that hashes them. */
async function findCopies({ root, files, tools }: Manifest): Promise<Map<string, EjectedCopy> | undefined> {
  const texts = files.map((file) => Deno.readTextFileSync(below(root, file)).replace(/^\ufeff/, ""));
  if (!texts.some(mayHaveEjectComment)) return undefined;
  const { ejectedCopies } = await import("../ejected_copy.ts");
  return ejectedCopies(root, texts, tools);
}

function text({ toolsKey, tools, removed, broken }: Manifest): string {
  const blocks = [tools.length === 0 ? ["(no tools)"] : table(tools)];
  if (removed.length > 0) {
    blocks.push([
      `Removed Beeuni tools: ${removed.join(", ")}`,
      "Add `<name>: beeuni:<name>` under `tools:` to get one back.",
    ]);
  }
  if (!toolsKey) {
    blocks.push([
      "beeuni.yaml has no `tools:` key, so sessions get every Beeuni tool. List them under `tools:` to choose.",
    ]);
  }
  if (broken.length > 0) {
    blocks.push(["Not loaded:", ...broken.map(({ name, error }) => `${shown(name)}: ${error}`)]);
  }
  return blocks.map((lines) => lines.map((line) => `${line}\n`).join("")).join("\n");
}

/** Columns as wide as their longest cell and two spaces more; the last one needs no padding. */
function table(tools: readonly ToolEntry[]): string[] {
  const rows = [["NAME", "KIND", "SOURCE"], ...tools.map(({ name, kind, source }) => [name, kind, source])];
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + 2;
  const [names, kinds] = [width(0), width(1)];
  return rows.map(([name = "", kind = "", source = ""]) => name.padEnd(names) + kind.padEnd(kinds) + source);
}
