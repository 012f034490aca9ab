/** The part of Web Locks that is used; Deno has them without declaring their types. */
interface Locks {
  request(name: string, hold: () => unknown): Promise<unknown>;
}

const locks: Locks = Reflect.get(navigator, "locks");

/**
 * Holds a lock until this thread ends, and resolves once it is held.
 *
 * Locks are shared by the workers of a process and freed with their thread, however that ends: nothing else tells that
 * a worker closed itself, or that `terminate()` did not stop a loop (Deno 2.9.6).
 */
export function holdLock(name: string): Promise<void> {
  return new Promise((held) => {
    void locks.request(name, () => {
      held();
      return new Promise(() => {});
    });
  });
}

/** Resolves when the thread that holds the lock has ended. */
export async function whenThreadEnds(name: string): Promise<void> {
  await locks.request(name, () => {});
}
