/** Keeps the low 64 bits. */
export const u64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** The product of two 64-bit numbers, its halves combined by XOR: the mixing step of wyhash, rapidhash and XXH3. */
export function mulFold(a: bigint, b: bigint): bigint {
  const product = a * b;
  return u64(product) ^ (product >> 64n);
}

/** Rotates 64 bits to the left. */
export function rotl64(value: bigint, bits: bigint): bigint {
  return u64(value << bits) | (value >> (64n - bits));
}

/** Reverses the bytes of a 64-bit number. */
export function swap64(value: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value, true);
  return view.getBigUint64(0, false);
}

/** Rotates 32 bits to the left. */
export function rotl32(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** Little-endian reads of a byte array. */
export interface ByteReader {
  length: number;
  u8(at: number): number;
  u32(at: number): number;
  /** 64 bits. */
  u64(at: number): bigint;
}

/** Little-endian reads of `bytes`. */
export function byteReader(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    length: bytes.length,
    u8: (at) => bytes[at] ?? 0,
    u32: (at) => view.getUint32(at, true),
    u64: (at) => view.getBigUint64(at, true),
  };
}
