/** Options of {@link Listener}. */
export interface ListenerOptions {
  /** Text each connection is sent once it said something; without it the connection is held open in silence. */
  answer?: string;
  /** Default any free one. */
  port?: number;
  /** Default 127.0.0.1. */
  hostname?: string;
}

/** A TCP listener that counts who came and keeps what they said. */
export class Listener implements AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  connections = 0;
  /** Connections that the other side has closed. */
  closed = 0;
  /** All that was received, of every connection, as text. */
  received = "";
  readonly #listener: Deno.TcpListener;
  readonly #accepting: Promise<void>;
  readonly #open = new Set<Deno.Conn>();

  constructor(options: ListenerOptions = {}) {
    const { hostname = "127.0.0.1", port = 0 } = options;
    this.#listener = Deno.listen({ hostname, port });
    this.port = this.#listener.addr.port;
    this.#accepting = this.#accept(options.answer);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async #accept(answer: string | undefined): Promise<void> {
    try {
      for await (const connection of this.#listener) {
        this.connections++;
        this.#open.add(connection);
        this.#serve(connection, answer);
      }
    } catch {
      // It was closed.
    }
  }

  async #serve(connection: Deno.Conn, answer: string | undefined): Promise<void> {
    const buffer = new Uint8Array(4096);
    try {
      while (true) {
        const count = await connection.read(buffer);
        if (count === null) break;
        this.received += new TextDecoder().decode(buffer.subarray(0, count));
        if (answer === undefined) continue;
        await connection.write(new TextEncoder().encode(answer));
        break;
      }
    } catch {
      // The other side is gone.
    }
    this.closed++;
    this.#open.delete(connection);
    try {
      connection.close();
    } catch {
      // It was closed with the listener.
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#open) {
      try {
        connection.close();
      } catch {
        // It has ended meanwhile.
      }
    }
    await this.#accepting;
  }
}

/** An HTTP answer as bytes on the wire. */
export function httpAnswer(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): string {
  const all = {
    "content-length": String(new TextEncoder().encode(body).length),
    connection: "close",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} x\r\n${lines}\r\n${body}`;
}
