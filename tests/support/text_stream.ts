/** Reads a stream to its end in the background and keeps its text, the first and the last part of it. */
export class TextStream {
  /** Bytes that came so far, also those not kept. */
  bytes = 0;
  /** Settles when the stream is over. */
  readonly ended: Promise<void>;
  #text = "";
  readonly #keep: number;

  /** @param keep UTF-16 units of text to keep; what is older goes. */
  constructor(stream: ReadableStream<Uint8Array>, keep = 16 * 1024 * 1024) {
    this.#keep = keep;
    this.ended = this.#read(stream);
  }

  get text(): string {
    return this.#text;
  }

  /** Complete lines so far. */
  get lines(): string[] {
    return this.#text.split("\n").slice(0, -1);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stream) {
        this.bytes += chunk.length;
        this.#text += decoder.decode(chunk, { stream: true });
        if (this.#text.length > 2 * this.#keep) this.#text = this.#text.slice(-this.#keep);
      }
    } catch {
      // The process was killed in the middle of a line: what came stays.
    }
  }
}
