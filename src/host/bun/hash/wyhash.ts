import { byteReader, mulFold, u64 } from "./u64.ts";

const S0 = 0xa0761d6478bd642fn;
const S1 = 0xe7037ed1a0b428dbn;
const S2 = 0x8ebc6af09c88c6e3n;
const S3 = 0x589965cc75374cc3n;

/** Wyhash, final version 4 (https://github.com/wangyi-fudan/wyhash): 64 bits. */
export function wyhash(bytes: Uint8Array, seed: bigint): bigint {
  const read = byteReader(bytes);
  const { length } = bytes;
  let state = seed ^ mulFold(seed ^ S0, S1);
  let a = 0n;
  let b = 0n;
  if (length > 16) {
    let at = 0;
    if (length > 48) {
      let second = state;
      let third = state;
      for (; at + 48 < length; at += 48) {
        state = mulFold(read.u64(at) ^ S1, read.u64(at + 8) ^ state);
        second = mulFold(read.u64(at + 16) ^ S2, read.u64(at + 24) ^ second);
        third = mulFold(read.u64(at + 32) ^ S3, read.u64(at + 40) ^ third);
      }
      state ^= second ^ third;
    }
    for (; at + 16 < length; at += 16) state = mulFold(read.u64(at) ^ S1, read.u64(at + 8) ^ state);
    a = read.u64(length - 16);
    b = read.u64(length - 8);
  } else if (length >= 4) {
    const quarter = (length >> 3) << 2;
    const word = (high: number, low: number) => (BigInt(read.u32(high)) << 32n) | BigInt(read.u32(low));
    a = word(0, quarter);
    b = word(length - 4, length - 4 - quarter);
  } else if (length > 0) {
    a = BigInt((read.u8(0) << 16) | (read.u8(length >> 1) << 8) | read.u8(length - 1));
  }
  const product = (a ^ S1) * (b ^ state);
  return mulFold(u64(product) ^ S0 ^ BigInt(length), (product >> 64n) ^ S1);
}
