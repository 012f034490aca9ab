const ENTITIES: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "&": "&amp;",
  "'": "&#x27;",
  "<": "&lt;",
  ">": "&gt;",
};

/**
 * `Bun.escapeHTML`: escapes `" & ' < >`.
 *
 * @param value Anything but a symbol; made a string first.
 */
export function escapeHTML(value: unknown): string {
  // a symbol throws here, as with Bun
  return `${value}`.replace(/["&'<>]/g, (char) => ENTITIES[char]!);
}
