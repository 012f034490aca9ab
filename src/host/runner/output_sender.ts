import type { Post } from "./answer.ts";
import { countNewlines, MAX_SPILL_BYTES } from "./bound_output.ts";
import type { SpilledOutput } from "./messages.ts";
import {
  encodeUtf8Into,
  mathMin,
  stringCharCodeAt,
  stringSlice,
  typedArrayAt,
  typedArraySubarray,
} from "./primordials.ts";

/** Bytes of one piece. */
export const PIECE_BYTES = 4 * 1024 * 1024;
/** Pieces under way at the same time: one is encoded here while the other is written there. */
const PIECES = 2;

const newBytes = Uint8Array;
const NEWLINE = 0x0a;

/** What else is said of an output, with its last piece. */
type Rest = Pick<SpilledOutput, "json" | "error">;

/**
 * A text over the bounds on its way to the main thread of the runner, which writes it to a file.
 *
 * It goes over piece by piece, in two buffers that come back when they were written. So a text of 100 MB takes 8 MB more
 * and not 200, new memory is not paid for again and again (half the time of encoding), this thread encodes while the
 * other writes, and other calls of the tool have their turn in between.
 */
export class OutputSender {
  readonly #post: Post;
  readonly #id: number;
  readonly #text: string;
  readonly #rest: Rest;
  readonly #tooLarge: () => void;
  /** UTF-16 units that were sent. */
  #at = 0;
  #bytes = 0;
  #newlines = 0;

  /** @param tooLarge Answers the call when its text turns out to be over what a file may hold. */
  constructor(post: Post, id: number, text: string, rest: Rest, tooLarge: () => void) {
    this.#post = post;
    this.#id = id;
    this.#text = text;
    this.#rest = rest;
    this.#tooLarge = tooLarge;
  }

  /** Sends the first pieces. @returns whether there are more: then {@link next} sends them. */
  start(): boolean {
    for (let piece = 0; piece < PIECES; piece++) if (!this.next()) return false;
    return true;
  }

  /**
   * Sends one piece; the last one with all that is known of the whole.
   *
   * @param used A buffer that came back.
   * @returns whether there are more.
   */
  next(used?: ArrayBuffer): boolean {
    if (this.#at === this.#text.length) return false;
    const units = mathMin(this.#text.length - this.#at, PIECE_BYTES);
    // The last piece of all is as long as it is: a short text does not need a whole buffer.
    const size = mathMin(units * 3, PIECE_BYTES);
    const bytes = used === undefined ? new newBytes(size) : new newBytes(used);
    const { read, written } = encodeUtf8Into(this.#slice(units), bytes);
    this.#at += read;
    this.#bytes += written;
    if (this.#bytes > MAX_SPILL_BYTES) {
      this.#at = this.#text.length;
      this.#tooLarge();
      return false;
    }
    const piece = typedArraySubarray(bytes, 0, written) as Uint8Array<ArrayBuffer>;
    this.#newlines += countNewlines(piece);
    const transfer = bytes.buffer;
    if (this.#at < this.#text.length) {
      this.#post({ kind: "spill_piece", id: this.#id, bytes: piece }, transfer);
      return true;
    }
    const isOpen = written > 0 && typedArrayAt(piece, -1) !== NEWLINE;
    const lines = this.#newlines + (isOpen ? 1 : 0);
    this.#post({ kind: "spill", id: this.#id, output: { ...this.#rest, bytes: piece, lines } }, transfer);
    return false;
  }

  /** The next units of the text, a surrogate pair never halved: its first half would be written as U+FFFD. */
  #slice(units: number): string {
    const end = this.#at + units;
    const last = stringCharCodeAt(this.#text, end - 1);
    const isHalf = end < this.#text.length && last >= 0xd800 && last <= 0xdbff;
    return stringSlice(this.#text, this.#at, isHalf ? end - 1 : end);
  }
}
