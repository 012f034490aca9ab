const last = new Map<string, Promise<unknown>>();

/**
 * Runs `change` alone among all that name the same file: a model sends several edits of one file at once, and each reads
 * what the one before it wrote.
 *
 * @param path Real path of the file.
 */
export async function withFileLock<T>(path: string, change: () => Promise<T>): Promise<T> {
  const before = last.get(path) ?? Promise.resolve();
  const mine = before.then(change, change);
  last.set(path, mine);
  try {
    return await mine;
  } finally {
    if (last.get(path) === mine) last.delete(path);
  }
}
