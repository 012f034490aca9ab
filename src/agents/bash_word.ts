import type { Subject } from "./subject.ts";
import { UNKNOWN } from "./wildcard.ts";

/** Stands for a space that was quoted: only `*` and `?` fit it, so that `"git x"` is not `git` with an argument. */
const QUOTED_SPACE = "\u00A0";

/** One word of a command, as it is put together from its pieces. */
export class BashWord {
  /** As it was written. */
  raw = "";
  /** Without quotes; {@link UNKNOWN} for what is only known when it runs. */
  exact = "";
  /** As `exact`, also with `~` unknown. */
  loose = "";
  /** As it was written, but for the unknown parts. */
  quoted = "";
  /** Whether it has an unquoted `{`: several words may come of it. */
  braces = false;
  /** Whether it has an unquoted `[`: the name of a file may come of it. */
  brackets = false;

  /** Adds a piece that stands for itself; `raw` is how it was written. A space in it was quoted. */
  add(text: string, raw = text): void {
    const plain = text.replace(/[ \t\n]/g, QUOTED_SPACE);
    this.exact += plain;
    this.loose += plain;
    this.quoted += raw;
    this.raw += raw;
  }

  /** Adds a piece that is only known when it runs. `exact` is what it stands for in the usual case, if there is one. */
  addUnknown(raw: string, exact: string = UNKNOWN): void {
    this.exact += exact;
    this.loose += UNKNOWN;
    this.quoted += exact;
    this.raw += raw;
  }

  /** The word is complete: braces, brackets and an empty word are settled. */
  finish(): this {
    const braced = this.braces ? this.#between("{", "}") : "";
    if (
      braced.includes(",") || braced.includes("..") || (this.brackets && this.#between("[", "]") !== "")
    ) {
      this.exact = this.loose = this.quoted = UNKNOWN;
    } else if (this.exact === "") {
      this.exact = this.loose = "''";
    }
    return this;
  }

  #between(open: string, close: string): string {
    return this.raw.slice(this.raw.indexOf(open), this.raw.lastIndexOf(close) + 1);
  }
}

/** A command or another part of a line, made of its words. */
export function bashPart(words: readonly BashWord[]): Subject {
  const text = words.map(({ raw }) => raw).join(" ");
  const exact = words.map(({ exact }) => exact);
  // An unknown word may be no word: `$X rm y` may be `rm y`.
  const vanishing = exact.some(isUnknown);
  const forms = [exact.join(" ")];
  if (vanishing) forms.push(exact.filter((word) => !isUnknown(word)).join(" "));
  const loose = words.map(({ loose }) => loose).join(" ");
  const maybe = loose.includes(UNKNOWN) ? [loose.replaceAll(UNKNOWN_WORDS, UNKNOWN)] : [];
  return { text, forms, quoted: words.map(({ quoted }) => quoted).join(" "), maybe };
}

/** Unknown words with the spaces around them, which go when the word is none. */
const UNKNOWN_WORDS = new RegExp(`(?:^| )${UNKNOWN}+(?: ${UNKNOWN}+)*(?: |$)`, "g");

function isUnknown(word: string): boolean {
  return word !== "" && word.replaceAll(UNKNOWN, "") === "";
}
