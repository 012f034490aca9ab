/** Size of one read, in bytes. */
const READ_BYTES = 64 * 1024;

/** The daemon's end of a runner's channel: a unix socket that exactly one peer may connect to. */
export class RunnerSocket {
  readonly #path: string;
  readonly #listener: Deno.UnixListener;
  readonly #encoder = new TextEncoder();
  #conn: Deno.UnixConn | undefined;
  #pending = "";
  #writing = false;
  #closed = false;

  /** @param path Where to listen; its folder is private. */
  constructor(path: string) {
    this.#path = path;
    this.#listener = Deno.listen({ transport: "unix", path });
  }

  /**
   * Waits for the peer and hands on what it sends, until the channel closes.
   *
   * @param onChunk The bytes are valid during the call only.
   * @throws when nobody connects within `timeoutMs`, and what `onChunk` throws.
   */
  async receive(timeoutMs: number, onChunk: (chunk: Uint8Array) => void): Promise<void> {
    const timer = setTimeout(() => this.#stopListening(), timeoutMs);
    try {
      this.#conn = await this.#listener.accept();
    } finally {
      clearTimeout(timer);
      // Nobody else can connect from here on.
      this.#stopListening();
    }
    if (this.#closed) return this.#conn.close();
    this.#startWriting();
    const buffer = new Uint8Array(READ_BYTES);
    try {
      for (let size = await this.#read(buffer); size !== null; size = await this.#read(buffer)) {
        onChunk(buffer.subarray(0, size));
      }
    } finally {
      this.close();
    }
  }

  /** Queues text; all that is queued in one turn of the event loop, or before the peer connects, is one write. */
  send(text: string): void {
    if (this.#closed) return;
    this.#pending += text;
    this.#startWriting();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pending = "";
    this.#stopListening();
    try {
      this.#conn?.close();
    } catch {
      // The peer was faster.
    }
  }

  /** The size of what was read; null when the channel was closed by either side, or reset. */
  async #read(buffer: Uint8Array): Promise<number | null> {
    try {
      return await this.#conn?.read(buffer) ?? null;
    } catch {
      return null;
    }
  }

  #startWriting(): void {
    if (this.#writing || this.#pending === "" || this.#conn === undefined) return;
    this.#writing = true;
    queueMicrotask(() => void this.#write());
  }

  async #write(): Promise<void> {
    try {
      while (this.#pending !== "" && this.#conn !== undefined && !this.#closed) {
        const bytes = this.#encoder.encode(this.#pending);
        this.#pending = "";
        let written = await this.#conn.write(bytes);
        while (written < bytes.length) written += await this.#conn.write(bytes.subarray(written));
      }
    } catch {
      // The reading side sees the end of the channel.
    }
    this.#writing = false;
  }

  #stopListening(): void {
    try {
      this.#listener.close();
      Deno.removeSync(this.#path);
    } catch {
      // Done already.
    }
  }
}
