/** A word as a POSIX shell takes it: quoted when it has characters that mean something there. */
export function shellWord(word: string): string {
  return /^[\w./@%+=:,][\w./@%+=:,-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
