import { maskForms } from "./mask_forms.ts";

/** What stands in place of a secret. */
export const MASK = "***";

/** How many values are remembered; beyond that the oldest are forgotten. */
const MAX_VALUES = 2000;

/**
 * Replaces every known secret in a text by `***` (specification 2.6).
 *
 * Values are kept after they changed or were removed: a call that began with the old value may still print it.
 */
export class Masker {
  readonly #forms = new Map<string, string[]>();
  #pattern: RegExp | undefined;
  #stale = false;

  /** Learns values; the ones that are known already cost a lookup each. */
  add(values: Iterable<string>): void {
    for (const value of values) {
      if (this.#forms.has(value)) continue;
      const forms = maskForms(value);
      this.#forms.set(value, forms);
      if (forms.length > 0) this.#stale = true;
    }
    for (const value of this.#forms.keys()) {
      if (this.#forms.size <= MAX_VALUES) break;
      this.#forms.delete(value);
      this.#stale = true;
    }
  }

  /** Every spelling of those of `values` that are known secrets, the longest first. */
  formsOf(values: Iterable<string>): string[] {
    const forms = new Set<string>();
    for (const value of values) for (const form of this.#forms.get(value) ?? []) forms.add(form);
    return [...forms].sort((a, b) => b.length - a.length);
  }

  /** `text` with every spelling of every known secret replaced. */
  mask(text: string): string {
    if (this.#stale) this.#compile();
    return this.#pattern === undefined ? text : text.replace(this.#pattern, MASK);
  }

  #compile(): void {
    const all = new Set<string>();
    for (const forms of this.#forms.values()) for (const form of forms) all.add(form);
    // The longest first: an alternation takes the first that fits, and a short one may be a part of a long one.
    const sources = [...all].sort((a, b) => b.length - a.length).map(escapeRegExp);
    this.#pattern = sources.length === 0 ? undefined : new RegExp(sources.join("|"), "g");
    this.#stale = false;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
