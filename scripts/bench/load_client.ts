// A process of its own that sends one HTTP request over and over on kept-alive connections, and prints how long each
// took. Plain sockets, no HTTP library: it costs less than what it measures.
import { median, percentile } from "./percentile.ts";

/** A POST with a JSON body. */
export interface PostRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** What the process is told, as JSON in its first argument. */
export interface Load {
  port: number;
  /** One per connection; with fewer, the last is used for the rest. */
  requests: PostRequest[];
  /** Connections, each with one request in flight. */
  clients: number;
  /** Requests in all that count; a tenth as many go before them unmeasured. */
  count: number;
  /** What every answer must contain. */
  expect: string;
}

/** What it prints, as JSON. */
export interface LoadResult {
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Requests per second. */
  rate: number;
}

const decoder = new TextDecoder();

/** One kept-alive connection. */
class Connection {
  readonly #socket: Deno.TcpConn;
  readonly #request: Uint8Array;
  readonly #expect: string;
  readonly #buffer = new Uint8Array(256 * 1024);

  constructor(socket: Deno.TcpConn, request: Uint8Array, expect: string) {
    this.#socket = socket;
    this.#request = request;
    this.#expect = expect;
    socket.setNoDelay(true);
  }

  /** Sends the request and reads the whole answer. */
  async exchange(): Promise<void> {
    await this.#socket.write(this.#request);
    let length = 0;
    for (;;) {
      const read = await this.#socket.read(this.#buffer.subarray(length));
      if (read === null) throw new Error("the server closed the connection");
      length += read;
      const text = decoder.decode(this.#buffer.subarray(0, length));
      if (!isWhole(text)) continue;
      if (!text.startsWith("HTTP/1.1 200") || !text.includes(this.#expect)) {
        throw new Error(`unexpected answer: ${text}`);
      }
      return;
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** Whether an answer of ASCII text has arrived in full. */
function isWhole(text: string): boolean {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head + 2))?.[1];
  if (length === undefined) return text.endsWith("0\r\n\r\n"); // chunked
  return text.length >= head + 4 + Number(length);
}

/** The whole request as it goes over the socket. */
function requestBytes(port: number, { path, headers, body }: PostRequest): Uint8Array {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${new TextEncoder().encode(body).length}`,
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

async function run(load: Load): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: load.clients }, async (_, index) => {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port: load.port });
    const request = load.requests[Math.min(index, load.requests.length - 1)]!;
    return new Connection(socket, requestBytes(load.port, request), load.expect);
  }));
  const round = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    let left = count;
    await Promise.all(connections.map(async (connection) => {
      while (left-- > 0) {
        const start = performance.now();
        await connection.exchange();
        times.push(performance.now() - start);
      }
    }));
    return times;
  };
  await round(Math.ceil(load.count / 10));
  const start = performance.now();
  const times = await round(load.count);
  const seconds = (performance.now() - start) / 1000;
  for (const connection of connections) connection.close();
  return { p50: median(times), p99: percentile(times, 0.99), rate: times.length / seconds };
}

if (import.meta.main) {
  const result = await run(JSON.parse(Deno.args[0] ?? "{}"));
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(result)));
}
