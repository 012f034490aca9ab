import { parse } from "yaml";
import { isRecord } from "../../../host/is_record.ts";

/** A `SKILL.md` in its parts. */
export interface SkillParts {
  /** From the header; absent when it does not say. */
  name?: string;
  description?: string;
  /** The text behind the header. */
  body: string;
}

/**
 * Splits a `SKILL.md` into its YAML header (between two lines `---`) and its text.
 *
 * Headers are written by people: one that is no YAML (`description: note: this`) is read line by line.
 */
export function skillParts(text: string): SkillParts {
  const source = text.replace(/^\uFEFF/, "");
  const header = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(source);
  if (header === null || header.index !== 0) return { body: source };
  const fields = yamlFields(header[1] ?? "") ?? lineFields(header[1] ?? "");
  const parts: SkillParts = { body: source.slice(header[0].length) };
  for (const key of ["name", "description"] as const) {
    const value = fields[key];
    if (typeof value === "string" || typeof value === "number") parts[key] = String(value).trim();
  }
  return parts;
}

function yamlFields(header: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parse(header, { maxAliasCount: 10, logLevel: "error" });
    return isRecord(value) ? value : {};
  } catch {
    return undefined;
  }
}

function lineFields(header: string): Record<string, unknown> {
  const fields = [...header.matchAll(/^(name|description):[ \t]*(.*?)[ \t]*\r?$/gm)];
  return Object.fromEntries(fields.map(([, key = "", value = ""]) => [key, value]));
}
