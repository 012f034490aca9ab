import type { ToolList } from "./model.ts";

/** The list of an agent that may use every tool. */
export const EVERY_TOOL: ToolList = { entries: new Map(), otherwise: true };

/** The list of an agent that may use no tool. */
export const NO_TOOL: ToolList = { entries: new Map(), otherwise: false };

/**
 * Normalises the value of `agents.<name>.tools` in each of its forms (specification 1.5).
 *
 * Whatever is none of the forms gives {@link NO_TOOL}: a list that can't be understood must not open anything.
 *
 * @param value The parsed value; `undefined` = the key is absent. Maps may have no prototype.
 */
export function toolList(value: unknown): ToolList {
  if (value === undefined || value === "all") return EVERY_TOOL;
  if (Array.isArray(value)) {
    if (!value.every((name) => typeof name === "string")) return NO_TOOL;
    return value.includes("*") ? EVERY_TOOL : { entries: decide(value, true), otherwise: false };
  }
  if (typeof value !== "object" || value === null) return NO_TOOL;

  const map = value as Record<string, unknown>;
  const names = Object.keys(map);
  const excluded = map.exclude;
  if (Array.isArray(excluded)) {
    if (names.length > 1 || !excluded.every((name) => typeof name === "string")) return NO_TOOL;
    return { entries: decide(excluded, false), otherwise: !excluded.includes("*") };
  }
  const entries = new Map<string, boolean>();
  for (const name of names) {
    const allowed = map[name];
    if (typeof allowed !== "boolean") return NO_TOOL;
    entries.set(name, allowed);
  }
  const otherwise = entries.get("*") ?? true;
  entries.delete("*");
  return { entries, otherwise };
}

/** Gives each of `names` the same decision. */
function decide(names: string[], allowed: boolean): Map<string, boolean> {
  return new Map(names.filter((name) => name !== "*").map((name) => [name, allowed]));
}
