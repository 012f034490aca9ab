import type { Follower, SessionEvent } from "./types.ts";

/** How long text is gathered before it is told, in milliseconds: a person sees no difference, a socket does. */
const BATCH_MS = 40;

/** So much text is told at once, in UTF-16 units. */
const BATCH_SIZE = 16 * 1024;

/** Tells those who follow one session what happens in it, in order; text of a fast model in few events. */
export class Followers {
  readonly #followers = new Set<Follower>();
  readonly #onText: () => void;
  #message = "";
  #delta = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onText Called when gathered text was told. */
  constructor(onText: () => void = () => {}) {
    this.#onText = onText;
  }

  get size(): number {
    return this.#followers.size;
  }

  add(follower: Follower): void {
    this.#followers.add(follower);
  }

  remove(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** More text of a message; told with what follows within {@link BATCH_MS}. */
  text(message: string, delta: string): void {
    if (message !== this.#message) this.flush();
    this.#message = message;
    this.#delta += delta;
    if (this.#delta.length >= BATCH_SIZE) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  tell(event: SessionEvent): void {
    this.flush();
    this.#tell(event);
  }

  /** Tells what was gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#delta === "") return;
    const event: SessionEvent = { type: "text", message: this.#message, delta: this.#delta };
    this.#delta = "";
    this.#tell(event);
    this.#onText();
  }

  /** Nothing more comes. */
  end(): void {
    this.flush();
    for (const follower of [...this.#followers]) {
      this.#followers.delete(follower);
      quietly(() => follower.end());
    }
  }

  #tell(event: SessionEvent): void {
    for (const follower of [...this.#followers]) {
      if (!quietly(() => follower.event(event))) this.#followers.delete(follower);
    }
  }
}

/** One follower that fails does not keep the others from being told. @returns Whether `work` went well. */
function quietly(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
