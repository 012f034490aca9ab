/** What Bun takes as binary data. */
export type BinaryLike = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** Whether a value is a typed array, a DataView, or a buffer (also a shared one). */
export function isBinary(value: unknown): value is BinaryLike {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

/** The bytes of a string (UTF-8) or of binary data; the latter are not copied. */
export function toBytes(data: string | BinaryLike): Uint8Array {
  if (typeof data === "string") return new TextEncoder().encode(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
