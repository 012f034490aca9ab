/** Options of {@link idleWatch}. */
export interface IdleWatchOptions {
  /** Milliseconds without anything to do. */
  idleMs: number;
  /** Whether there is something to do now. */
  isBusy: () => boolean;
  /** Called once. */
  onIdle: () => void;
}

/** Tells when a daemon had nothing to do for long enough. */
export interface IdleWatch extends Disposable {
  /** Something was done. */
  touch(): void;
}

/** The longest time between two looks, in milliseconds: a timer may not be longer than 24 days either. */
const LOOK_MS = 30_000;

/** Watches until nothing was done for `idleMs`; the time is kept to about a tenth of it. */
export function idleWatch({ idleMs, isBusy, onIdle }: IdleWatchOptions): IdleWatch {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (isBusy()) last = now;
    if (now - last < idleMs) return;
    clearInterval(timer);
    onIdle();
  }, Math.min(LOOK_MS, Math.max(10, idleMs / 10)));
  return {
    touch: () => last = performance.now(),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
