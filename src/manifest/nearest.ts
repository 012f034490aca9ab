/**
 * The candidate with the smallest edit distance to `word`, at most `limit`; the first one of equals.
 *
 * @param limit Insertions, deletions and replacements allowed. Default 2, and 1 for words of up to three letters,
 * where two changes leave nothing in common.
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  limit: number = word.length <= 3 ? 1 : 2,
): string | undefined {
  let best: string | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate, limit);
    if (distance > limit) continue;
    best = candidate;
    if (distance === 0) break;
    limit = distance - 1;
  }
  return best;
}

/** Levenshtein distance, or any number over `limit` when it is over. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
