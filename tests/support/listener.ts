/** A TCP listener on 127.0.0.1 that counts who came. */
export class Listener implements AsyncDisposable {
  readonly port: number;
  /** Connections so far. */
  connections = 0;
  /** Connections that the other side has closed. */
  closed = 0;
  readonly #listener: Deno.TcpListener;
  readonly #accepting: Promise<void>;
  readonly #open = new Set<Deno.Conn>();

  /**
   * @param answer Text each connection is sent; without it the connection is held open and says nothing.
   * @param port Default any free one.
   */
  constructor(answer?: string, port = 0) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    this.port = (this.#listener.addr as Deno.NetAddr).port;
    this.#accepting = this.#accept(answer);
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
        if (await connection.read(buffer) === null) break;
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
