import type { ValueOutline } from "./outline.ts";

/** Texts that YAML reads as the same text without quotes, in a block and in a flow map. */
const PLAIN = /^[A-Za-z_./][\w./:@+-]*[\w./]$/;

/** A value as YAML text in the style of the one it replaces: quotes stay, the new value goes inside them. */
export function scalarText(value: string, style: ValueOutline["kind"] = "plain"): string {
  if (style === "single") return `'${value.replaceAll("'", "''")}'`;
  if (style === "double") return JSON.stringify(value);
  return PLAIN.test(value) && !/:$|^\.\.\.|^---/.test(value) ? value : JSON.stringify(value);
}
