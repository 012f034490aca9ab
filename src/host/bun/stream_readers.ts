/** A stream with the methods Bun adds to every ReadableStream. */
export type BunReadableStream = ReadableStream<Uint8Array<ArrayBuffer>> & {
  text(): Promise<string>;
  json(): Promise<unknown>;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  blob(): Promise<Blob>;
};

/** Adds Bun's `text`, `json`, `bytes` and `blob` to a stream that these interfaces hand out. */
export function withReaders(stream: ReadableStream<Uint8Array<ArrayBuffer>>): BunReadableStream {
  const body = () => new Response(stream);
  return Object.defineProperties(stream, {
    text: { value: () => body().text() },
    json: { value: () => body().json() },
    bytes: { value: () => body().bytes() },
    blob: { value: () => body().blob() },
  }) as BunReadableStream;
}
