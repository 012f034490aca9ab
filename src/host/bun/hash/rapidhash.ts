import { byteReader, mulFold, u64 } from "./u64.ts";

const S0 = 0x2d358dccaa6c78a5n;
const S1 = 0x8bb84b93962eacc9n;
const S2 = 0x4b33a62ed433d4a3n;

/** Rapidhash, version 1 (https://github.com/Nicoshev/rapidhash): 64 bits. */
export function rapidhash(bytes: Uint8Array, seed: bigint): bigint {
  const read = byteReader(bytes);
  const { length } = bytes;
  let state = seed ^ mulFold(seed ^ S0, S1) ^ BigInt(length);
  let a = 0n;
  let b = 0n;
  if (length > 16) {
    let at = 0;
    let left = length;
    if (left > 48) {
      let second = state;
      let third = state;
      for (; left >= 48; left -= 48, at += 48) {
        state = mulFold(read.u64(at) ^ S0, read.u64(at + 8) ^ state);
        second = mulFold(read.u64(at + 16) ^ S1, read.u64(at + 24) ^ second);
        third = mulFold(read.u64(at + 32) ^ S2, read.u64(at + 40) ^ third);
      }
      state ^= second ^ third;
    }
    if (left > 16) {
      state = mulFold(read.u64(at) ^ S2, read.u64(at + 8) ^ state ^ S1);
      if (left > 32) state = mulFold(read.u64(at + 16) ^ S2, read.u64(at + 24) ^ state);
    }
    a = read.u64(length - 16);
    b = read.u64(length - 8);
  } else if (length >= 4) {
    const last = length - 4;
    const delta = (length & 24) >> (length >> 3);
    const word = (high: number, low: number) => (BigInt(read.u32(high)) << 32n) | BigInt(read.u32(low));
    a = word(0, last);
    b = word(delta, last - delta);
  } else if (length > 0) {
    a = (BigInt(read.u8(0)) << 56n) | (BigInt(read.u8(length >> 1)) << 32n) | BigInt(read.u8(length - 1));
  }
  const product = (a ^ S1) * (b ^ state);
  return mulFold(u64(product) ^ S0 ^ BigInt(length), (product >> 64n) ^ S1);
}
