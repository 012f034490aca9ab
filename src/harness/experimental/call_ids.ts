import { randomUUID } from "node:crypto";

/** What a call's id must be for the tool host (specification 2.7) and every provider: Anthropic takes 64 characters. */
const FIT = /^[A-Za-z0-9_-]{1,64}$/;

/** Gives each call of a session an id of its own: models repeat theirs from one message to the next, or give none. */
export class CallIds {
  readonly #used: Set<string>;

  /** @param used The ids that are taken. */
  constructor(used: Iterable<string>) {
    this.#used = new Set(used);
  }

  /** `given`, unless it is taken or no id: then a new one. */
  take(given: string): string {
    const id = FIT.test(given) && !this.#used.has(given) ? given : `call_${randomUUID().replaceAll("-", "")}`;
    this.#used.add(id);
    return id;
  }
}
