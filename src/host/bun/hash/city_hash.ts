import { type ByteReader, byteReader, rotl32, rotl64, swap64, u64 } from "./u64.ts";

const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;
const STEP = 0xe6546b64;

/** CityHash32 (https://github.com/google/cityhash, version 1.1). */
export function cityHash32(bytes: Uint8Array): number {
  const read = byteReader(bytes);
  const { length } = bytes;
  if (length <= 4) return shortest32(bytes);
  if (length <= 12) {
    const five = Math.imul(length, 5);
    const a = length + read.u32(0);
    const b = five + read.u32(length - 4);
    const c = 9 + read.u32((length >> 1) & 4);
    return finish(mur(c, mur(b, mur(a, five))));
  }
  if (length <= 24) {
    const half = length >> 1;
    const words = [half - 4, 4, length - 8, half, 0, length - 4];
    return finish(words.reduce((hash, at) => mur(read.u32(at), hash), length));
  }
  return long32(read);
}

const rotr32 = (value: number, bits: number) => rotl32(value, 32 - bits);
const scramble = (word: number) => Math.imul(rotr32(Math.imul(word, C1), 17), C2);
const step = (hash: number, bits: number) => (Math.imul(rotr32(hash, bits), 5) + STEP) | 0;
const mur = (word: number, hash: number) => step(hash ^ scramble(word), 19);

function finish(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function swap32(value: number): number {
  return (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24);
}

function shortest32(bytes: Uint8Array): number {
  let b = 0;
  let c = 9;
  // the bytes are signed here
  for (const byte of new Int8Array(bytes)) {
    b = (Math.imul(b, C1) + byte) | 0;
    c ^= b;
  }
  return finish(mur(b, mur(bytes.length, c)));
}

function long32(read: ByteReader): number {
  const { length } = read;
  let h = length;
  let g = Math.imul(C1, length);
  let f = g;
  const tail = (back: number) => scramble(read.u32(length - back));
  h = step(h ^ tail(4), 19);
  h = step(h ^ tail(16), 19);
  g = step(g ^ tail(8), 19);
  g = step(g ^ tail(12), 19);
  f = step((f + tail(20)) | 0, 19);
  for (let at = 0, rounds = Math.floor((length - 1) / 20); rounds > 0; rounds--, at += 20) {
    const a0 = scramble(read.u32(at));
    const a1 = read.u32(at + 4);
    const a2 = scramble(read.u32(at + 8));
    const a3 = scramble(read.u32(at + 12));
    const a4 = read.u32(at + 16);
    h = step(h ^ a0, 18);
    f = Math.imul(rotr32((f + a1) | 0, 19), C1);
    g = step((g + a2) | 0, 18);
    h = step(h ^ (a3 + a1), 19);
    g = Math.imul(swap32(g ^ a4), 5);
    h = swap32((h + Math.imul(a4, 5)) | 0);
    f = (f + a0) | 0;
    [f, h, g] = [g, f, h];
  }
  const churn = (value: number) => Math.imul(rotr32(Math.imul(rotr32(value, 11), C1), 17), C1);
  g = churn(g);
  f = churn(f);
  h = Math.imul(rotr32(step((h + g) | 0, 19), 17), C1);
  h = Math.imul(rotr32(step((h + f) | 0, 19), 17), C1);
  return h >>> 0;
}

const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const K_MUL = 0x9ddfea08eb382d69n;

const rotr64 = (value: bigint, bits: bigint) => rotl64(u64(value), 64n - bits);
const shiftMix = (value: bigint) => value ^ (value >> 47n);

function hash16(u: bigint, v: bigint, mul: bigint = K_MUL): bigint {
  const a = shiftMix(u64((u ^ v) * mul));
  return u64(shiftMix(u64((v ^ a) * mul)) * mul);
}

/** CityHash64WithSeed (https://github.com/google/cityhash, version 1.1). */
export function cityHash64(bytes: Uint8Array, seed: bigint): bigint {
  const read = byteReader(bytes);
  const hash = bytes.length <= 16
    ? upTo16(read)
    : bytes.length <= 32
    ? upTo32(read)
    : bytes.length <= 64
    ? upTo64(read)
    : long64(read);
  return hash16(u64(hash - K2), seed);
}

function upTo16(read: ByteReader): bigint {
  const { length } = read;
  const mul = u64(K2 + BigInt(length) * 2n);
  if (length >= 8) {
    const a = read.u64(0) + K2;
    const b = read.u64(length - 8);
    return hash16(u64(rotr64(b, 37n) * mul + a), u64((rotr64(a, 25n) + b) * mul), mul);
  }
  if (length >= 4) {
    return hash16(BigInt(length) + (BigInt(read.u32(0)) << 3n), BigInt(read.u32(length - 4)), mul);
  }
  if (length === 0) return K2;
  const y = BigInt(read.u8(0) + (read.u8(length >> 1) << 8));
  const z = BigInt(length + (read.u8(length - 1) << 2));
  return u64(shiftMix(u64(y * K2) ^ u64(z * K0)) * K2);
}

function upTo32(read: ByteReader): bigint {
  const { length } = read;
  const mul = u64(K2 + BigInt(length) * 2n);
  const a = u64(read.u64(0) * K1);
  const b = read.u64(8);
  const c = u64(read.u64(length - 8) * mul);
  const d = read.u64(length - 16) * K2;
  return hash16(u64(rotr64(a + b, 43n) + rotr64(c, 30n) + d), u64(a + rotr64(b + K2, 18n) + c), mul);
}

function upTo64(read: ByteReader): bigint {
  const { length } = read;
  const mul = u64(K2 + BigInt(length) * 2n);
  const a = u64(read.u64(0) * K2);
  const b = read.u64(8);
  const c = read.u64(length - 24);
  const d = read.u64(length - 32);
  const e = u64(read.u64(16) * K2);
  const f = u64(read.u64(24) * 9n);
  const g = read.u64(length - 8);
  const h = u64(read.u64(length - 16) * mul);
  const u = u64(rotr64(a + g, 43n) + (rotr64(b, 30n) + c) * 9n);
  const v = u64((u64(a + g) ^ d) + f + 1n);
  const w = u64(swap64(u64((u + v) * mul)) + h);
  const x = u64(rotr64(e + f, 42n) + c);
  const y = u64((swap64(u64((v + w) * mul)) + g) * mul);
  const z = u64(e + f + c);
  const last = u64(swap64(u64((x + z) * mul + y)) + b);
  return u64(u64(shiftMix(u64((z + last) * mul + d + h)) * mul) + x);
}

type Pair = [bigint, bigint];

function long64(read: ByteReader): bigint {
  const { length } = read;
  const weak = (at: number, a: bigint, b: bigint): Pair => {
    const w = read.u64(at);
    const z = read.u64(at + 24);
    const first = u64(a + w);
    const second = rotr64(b + first + z, 21n);
    const sum = u64(first + read.u64(at + 8) + read.u64(at + 16));
    return [u64(sum + z), u64(second + rotr64(sum, 44n) + first)];
  };
  let x = read.u64(length - 40);
  let y = u64(read.u64(length - 16) + read.u64(length - 56));
  let z = hash16(u64(read.u64(length - 48) + BigInt(length)), read.u64(length - 24));
  let v = weak(length - 64, BigInt(length), z);
  let w = weak(length - 32, u64(y + K1), x);
  x = u64(x * K1 + read.u64(0));
  for (let at = 0, end = (length - 1) & ~63; at < end; at += 64) {
    x = u64(rotr64(x + y + v[0] + read.u64(at + 8), 37n) * K1);
    y = u64(rotr64(y + v[1] + read.u64(at + 48), 42n) * K1);
    x ^= w[1];
    y = u64(y + v[0] + read.u64(at + 40));
    z = u64(rotr64(z + w[0], 33n) * K1);
    v = weak(at, u64(v[1] * K1), u64(x + w[0]));
    w = weak(at + 32, u64(z + w[1]), u64(y + read.u64(at + 16)));
    [z, x] = [x, z];
  }
  return hash16(u64(hash16(v[0], w[0]) + shiftMix(y) * K1 + z), u64(hash16(v[1], w[1]) + x));
}
