/** Work that goes on; dispose it when it is over. */
export interface Progress extends Disposable {
  /** Says what goes on now. */
  update(what: string): void;
}

/** Options of {@link startProgress}. */
export interface ProgressOptions {
  /** A spinner that is redrawn (a terminal); otherwise one plain line. */
  animated: boolean;
  /** Writes to stderr. */
  write: (text: string) => void;
  /** Milliseconds before anything is shown; default 1,000 (specification 5.1). */
  delay?: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
const CLEAR_LINE = "\r\x1b[2K";

/** Shows that `what` goes on, once it took over a second; what is quick shows nothing. */
export function startProgress(what: string, options: ProgressOptions): Progress {
  const { animated, write, delay = 1000 } = options;
  let text = what;
  let frame = 0;
  let shown = false;
  let spinning: ReturnType<typeof setInterval> | undefined;

  function draw(): void {
    write(`${CLEAR_LINE}${FRAMES[frame++ % FRAMES.length]} ${text}`);
  }

  const starting = setTimeout(() => {
    shown = true;
    if (!animated) return write(`${text} …\n`);
    draw();
    spinning = setInterval(draw, FRAME_MS);
    Deno.unrefTimer(spinning);
  }, delay);
  // Showing that work goes on must not keep the program alive.
  Deno.unrefTimer(starting);

  return {
    update(next) {
      if (next === text) return;
      text = next;
      if (shown && !animated) write(`${text} …\n`);
    },
    [Symbol.dispose]() {
      clearTimeout(starting);
      clearInterval(spinning);
      if (spinning !== undefined) write(CLEAR_LINE);
    },
  };
}
