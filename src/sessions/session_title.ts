/** The longest title, in characters. */
const MAX_TITLE = 80;

/** The beginning of a session's first prompt, as one line: white space and control characters become single spaces. */
export function sessionTitle(prompt: string): string {
  // Far more than is kept; a prompt may be megabytes.
  const line = prompt.trimStart().slice(0, 4000).replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const characters = [...line.toWellFormed()];
  return characters.length <= MAX_TITLE
    ? characters.join("")
    : `${characters.slice(0, MAX_TITLE - 1).join("").trimEnd()}…`;
}
