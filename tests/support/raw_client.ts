import type { Daemon } from "./daemon.ts";

/** A bare TCP connection to a daemon, for what no HTTP library would send. */
export class RawClient implements Disposable {
  readonly #connection: Deno.TcpConn;
  readonly #reading: Promise<void>;
  readonly #answered = Promise.withResolvers<void>();
  #received = "";
  #closed = false;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
    this.#reading = this.#read();
  }

  static async connect(daemon: Daemon): Promise<RawClient> {
    return new RawClient(await Deno.connect({ hostname: "127.0.0.1", port: daemon.port }));
  }

  /** What the daemon sent so far. */
  get received(): string {
    return this.#received;
  }

  /** Settles when the daemon sent something, or closed the connection. */
  get answered(): Promise<void> {
    return this.#answered.promise;
  }

  /** Whether the daemon closed the connection. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Sends text; false when the daemon does not take it any more. */
  async send(text: string): Promise<boolean> {
    let bytes = new TextEncoder().encode(text);
    try {
      while (bytes.length > 0) bytes = bytes.subarray(await this.#connection.write(bytes));
      return true;
    } catch {
      return false;
    }
  }

  /** Settles when the daemon closes the connection. */
  get ended(): Promise<void> {
    return this.#reading;
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(16 * 1024);
    const decoder = new TextDecoder();
    try {
      for (let count; (count = await this.#connection.read(buffer)) !== null;) {
        this.#received += decoder.decode(buffer.subarray(0, count), { stream: true });
        this.#answered.resolve();
      }
    } catch {
      // Reset by the daemon, or closed by us.
    }
    this.#closed = true;
    this.#answered.resolve();
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch {
      // The daemon was faster.
    }
  }
}

/** The head of a call's request, up to its empty line. */
export function callHead(daemon: Daemon, tool: string, headers: Readonly<Record<string, string>>): string {
  const all = {
    host: `127.0.0.1:${daemon.port}`,
    authorization: `Bearer ${daemon.key}`,
    "content-type": "application/json",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `POST /beeuni/tools/${tool} HTTP/1.1\r\n${lines}\r\n`;
}
