import { byteReader, rotl32, rotl64, u64 } from "./u64.ts";

const P32_1 = 0x9e3779b1;
const P32_2 = 0x85ebca77;
const P32_3 = 0xc2b2ae3d;
const P32_4 = 0x27d4eb2f;
const P32_5 = 0x165667b1;

/** XXH32 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). */
export function xxHash32(bytes: Uint8Array, seed: number): number {
  const read = byteReader(bytes);
  const { length } = bytes;
  const round = (acc: number, word: number) =>
    Math.imul(rotl32((acc + Math.imul(word, P32_2)) | 0, 13), P32_1);
  let hash = (seed + P32_5) | 0;
  let at = 0;
  if (length >= 16) {
    let a = (seed + P32_1 + P32_2) | 0;
    let b = (seed + P32_2) | 0;
    let c = seed | 0;
    let d = (seed - P32_1) | 0;
    for (; at + 16 <= length; at += 16) {
      a = round(a, read.u32(at));
      b = round(b, read.u32(at + 4));
      c = round(c, read.u32(at + 8));
      d = round(d, read.u32(at + 12));
    }
    hash = (rotl32(a, 1) + rotl32(b, 7) + rotl32(c, 12) + rotl32(d, 18)) | 0;
  }
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) {
    hash = Math.imul(rotl32((hash + Math.imul(read.u32(at), P32_3)) | 0, 17), P32_4);
  }
  for (; at < length; at++) hash = Math.imul(rotl32((hash + Math.imul(read.u8(at), P32_5)) | 0, 11), P32_1);
  hash = Math.imul(hash ^ (hash >>> 15), P32_2);
  hash = Math.imul(hash ^ (hash >>> 13), P32_3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const P64_1 = 0x9e3779b185ebca87n;
const P64_2 = 0xc2b2ae3d27d4eb4fn;
const P64_3 = 0x165667b19e3779f9n;
const P64_4 = 0x85ebca77c2b2ae63n;
const P64_5 = 0x27d4eb2f165667c5n;

/** XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). */
export function xxHash64(bytes: Uint8Array, seed: bigint): bigint {
  const read = byteReader(bytes);
  const { length } = bytes;
  const round = (acc: bigint, word: bigint) => u64(rotl64(u64(acc + word * P64_2), 31n) * P64_1);
  let hash = u64(seed + P64_5);
  let at = 0;
  if (length >= 32) {
    const lanes = [u64(seed + P64_1 + P64_2), u64(seed + P64_2), seed, u64(seed - P64_1)];
    for (; at + 32 <= length; at += 32) {
      for (let lane = 0; lane < 4; lane++) lanes[lane] = round(lanes[lane]!, read.u64(at + 8 * lane));
    }
    const [a, b, c, d] = lanes as [bigint, bigint, bigint, bigint];
    hash = u64(rotl64(a, 1n) + rotl64(b, 7n) + rotl64(c, 12n) + rotl64(d, 18n));
    for (const lane of lanes) hash = u64((hash ^ round(0n, lane)) * P64_1 + P64_4);
  }
  hash = u64(hash + BigInt(length));
  for (; at + 8 <= length; at += 8) hash = u64(rotl64(hash ^ round(0n, read.u64(at)), 27n) * P64_1 + P64_4);
  if (at + 4 <= length) {
    hash = u64(rotl64(hash ^ u64(BigInt(read.u32(at)) * P64_1), 23n) * P64_2 + P64_3);
    at += 4;
  }
  for (; at < length; at++) hash = u64(rotl64(hash ^ u64(BigInt(read.u8(at)) * P64_5), 11n) * P64_1);
  return xxAvalanche64(hash);
}

/** The final mix of XXH64, which XXH3 uses for short inputs. */
export function xxAvalanche64(hash: bigint): bigint {
  hash = u64((hash ^ (hash >> 33n)) * P64_2);
  hash = u64((hash ^ (hash >> 29n)) * P64_3);
  return hash ^ (hash >> 32n);
}
