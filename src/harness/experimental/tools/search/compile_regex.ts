/**
 * A pattern of `grep` as a regular expression. Flags at its start (`(?i)`, `(?s)`, `(?m)`) are taken as ripgrep takes them.
 *
 * Without the `u` flag where it makes no difference: V8 has an engine without backtracking that takes over when a search
 * takes too many steps, and only without `u` and `i`.
 *
 * @throws {SyntaxError} When it is none.
 */
export function compileRegex(pattern: string): RegExp {
  const [whole = "", letters = ""] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = pattern.slice(whole.length);
  const flags = [...new Set(letters)].join("");
  if (!/\\[pPu]\{|[\u{10000}-\u{10FFFF}]/u.test(source)) return new RegExp(source, flags);
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}
