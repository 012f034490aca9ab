/** Where frames go: a socket's writing side. */
export interface ByteWriter {
  write(bytes: Uint8Array): Promise<number>;
}

const encoder = new TextEncoder();

/** Writes frames in order, all that have gathered while the last write was under way in one. */
export class FrameWriter {
  #queue: string[] = [];
  #isWriting = false;

  /** @param failed Called once when the peer is gone; nothing is written any more. */
  constructor(private readonly writer: ByteWriter, private readonly failed: () => void) {}

  /** Sends one frame, its final newline included. */
  send(frame: string): void {
    this.#queue.push(frame);
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#queue.length > 0) {
        const text = this.#queue.length === 1 ? this.#queue[0]! : this.#queue.join("");
        this.#queue = [];
        const bytes = encoder.encode(text);
        for (let written = 0; written < bytes.length;) {
          written += await this.writer.write(written === 0 ? bytes : bytes.subarray(written));
        }
      }
      this.#isWriting = false;
    } catch {
      this.failed();
    }
  }
}
