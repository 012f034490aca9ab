import { BEEUNI_TOOLS } from "../../beeuni_tools/registry.ts";
import { isDeniedAddress } from "../denied_address.ts";
import { entryErrors } from "../entry_errors.ts";
import type { Declared, Sections } from "../merge.ts";
import type { ToolPermissions, ToolSettings } from "../model.ts";
import { nearest } from "../nearest.ts";
import type { Located } from "../parse/located.ts";
import { quote } from "../quote.ts";
import type { SourceFile } from "../source_file.ts";

/** Milliseconds of each unit of a duration. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * The settings of each tool that has some, without those that have errors (specification 1.4); checks what the
 * schema can't: that the tool is declared, and that no denied address is granted.
 *
 * @param toolsKey Without a `tools` key the five Beeuni tools are declared.
 */
export function readSettings(
  files: readonly SourceFile[],
  sections: Sections,
  toolsKey: boolean,
): Map<string, ToolSettings> {
  const declared = new Set([...sections.tools.keys(), ...(toolsKey ? [] : BEEUNI_TOOLS)]);
  for (const { file, entry } of sections.tool_settings.values()) {
    const { name, keyStart } = entry;
    if (!declared.has(name)) {
      const meant = nearest(name, declared);
      const message = `${quote(name)} is not declared under \`tools\`.` +
        (meant === undefined ? "" : ` Did you mean ${quote(meant)}?`);
      file.problems.push({
        code: "settings_tool",
        message,
        offset: keyStart,
        segments: ["tool_settings", name],
      });
    }
  }
  const unfit = entryErrors(files, "tool_settings");
  const settings = new Map<string, ToolSettings>();
  for (const [name, entry] of sections.tool_settings) {
    if (unfit.has(name)) continue;
    if (grantsDeniedAddress(entry)) continue;
    settings.set(name, settingsOf(entry.entry.value.data as RawSettings));
  }
  return settings;
}

/** An entry that fits the schema. */
interface RawSettings {
  timeout?: string;
  fresh?: boolean;
  permissions?: ToolPermissions;
}

function settingsOf({ timeout, fresh, permissions }: RawSettings): ToolSettings {
  return {
    ...(timeout !== undefined && { timeoutMs: durationMs(timeout) }),
    ...(fresh !== undefined && { fresh }),
    ...(permissions !== undefined && { permissions: { ...permissions } }),
  };
}

/** A duration of the form of the schema, in milliseconds. */
export function durationMs(text: string): number {
  const [, count = "", unit = ""] = /^([0-9]+)([a-z]+)$/.exec(text) ?? [];
  return Number(count) * (UNITS[unit] ?? 0);
}

function grantsDeniedAddress({ file, entry }: Declared): boolean {
  const net = child(child(entry.value, "permissions"), "net");
  if (net?.kind !== "list") return false;
  let denied = false;
  net.items.forEach((item, index) => {
    if (item.kind !== "scalar" || !isDeniedAddress(item.text)) return;
    denied = true;
    file.problems.push({
      code: "permission_denied_address",
      message: `${quote(item.text)} can't be granted: no tool may reach this address.`,
      offset: item.start,
      segments: ["tool_settings", entry.name, "permissions", "net", String(index)],
    });
  });
  return denied;
}

function child(value: Located | undefined, name: string): Located | undefined {
  return value?.kind === "map" ? value.entries.get(name)?.value : undefined;
}
