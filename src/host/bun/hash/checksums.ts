let table: Int32Array | undefined;

/** CRC-32 (IEEE 802.3, as zlib): `seed` is the checksum of what came before. */
export function crc32(bytes: Uint8Array, seed: number): number {
  table ??= Int32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
    return value;
  });
  let crc = ~seed;
  for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}

/** Adler-32 (RFC 1950). */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  // 5552 is the most bytes before the sums may pass 2^32 (zlib's NMAX)
  for (let start = 0; start < bytes.length; start += 5552) {
    for (const byte of bytes.subarray(start, start + 5552)) {
      low += byte;
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return ((high << 16) | low) >>> 0;
}
