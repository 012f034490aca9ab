import { byteReader, rotl32, u64 } from "./u64.ts";

/** MurmurHash2 for 32 bits (https://github.com/aappleby/smhasher). */
export function murmur32v2(bytes: Uint8Array, seed: number): number {
  const read = byteReader(bytes);
  const m = 0x5bd1e995;
  let hash = seed ^ bytes.length;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(read.u32(at), m);
    word = Math.imul(word ^ (word >>> 24), m);
    hash = Math.imul(hash, m) ^ word;
  }
  const rest = bytes.length - whole;
  if (rest > 2) hash ^= read.u8(whole + 2) << 16;
  if (rest > 1) hash ^= read.u8(whole + 1) << 8;
  if (rest > 0) hash = Math.imul(hash ^ read.u8(whole), m);
  hash = Math.imul(hash ^ (hash >>> 13), m);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** MurmurHash3 for 32 bits (https://github.com/aappleby/smhasher). */
export function murmur32v3(bytes: Uint8Array, seed: number): number {
  const read = byteReader(bytes);
  const scramble = (word: number) => Math.imul(rotl32(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  let hash = seed | 0;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    hash = (Math.imul(rotl32(hash ^ scramble(read.u32(at)), 13), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8) | read.u8(at);
  hash ^= scramble(tail) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** MurmurHash2 for 64 bits, variant A (https://github.com/aappleby/smhasher). */
export function murmur64v2(bytes: Uint8Array, seed: bigint): bigint {
  const read = byteReader(bytes);
  const m = 0xc6a4a7935bd1e995n;
  const mix = (value: bigint) => value ^ (value >> 47n);
  let hash = seed ^ u64(BigInt(bytes.length) * m);
  const whole = bytes.length & ~7;
  for (let at = 0; at < whole; at += 8) hash = u64((hash ^ u64(mix(u64(read.u64(at) * m)) * m)) * m);
  if (whole < bytes.length) {
    let tail = 0n;
    for (let at = bytes.length - 1; at >= whole; at--) tail = (tail << 8n) | BigInt(read.u8(at));
    hash = u64((hash ^ tail) * m);
  }
  return mix(u64(mix(hash) * m));
}
