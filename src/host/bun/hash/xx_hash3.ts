import { type ByteReader, byteReader, mulFold, rotl64, swap64, u64 } from "./u64.ts";
import { xxAvalanche64 } from "./xx_hash.ts";

/** The default secret of the specification, 192 bytes. */
const SECRET_HEX =
  "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221" +
  "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8" +
  "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb" +
  "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e";

const SECRET_BYTES = 192;
const P32 = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn] as const;
const P64 = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;
const MIX = 0x9fb21c651e98df25n;
const LOW_32 = 0xffffffffn;

let defaultSecret: Uint8Array | undefined;

/** XXH3, 64 bits (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). */
export function xxHash3(bytes: Uint8Array, seed: bigint): bigint {
  defaultSecret ??= Uint8Array.from(SECRET_HEX.match(/../g)!, (byte) => parseInt(byte, 16));
  const read = byteReader(bytes);
  const secret = byteReader(defaultSecret);
  if (bytes.length <= 16) return upTo16(read, secret, seed);
  if (bytes.length <= 240) return upTo240(read, secret, seed);
  return long(read, seed === 0n ? secret : seeded(secret, seed));
}

function avalanche(hash: bigint): bigint {
  hash = u64((hash ^ (hash >> 37n)) * 0x165667919e3779f9n);
  return hash ^ (hash >> 32n);
}

function upTo16(read: ByteReader, secret: ByteReader, seed: bigint): bigint {
  const { length } = read;
  if (length > 8) {
    const low = read.u64(0) ^ u64((secret.u64(24) ^ secret.u64(32)) + seed);
    const high = read.u64(length - 8) ^ u64((secret.u64(40) ^ secret.u64(48)) - seed);
    return avalanche(u64(BigInt(length) + swap64(low) + high + mulFold(low, high)));
  }
  if (length >= 4) {
    const mixed = seed ^ ((swap64(seed & LOW_32) >> 32n) << 32n);
    const word = BigInt(read.u32(length - 4)) + (BigInt(read.u32(0)) << 32n);
    let hash = word ^ u64((secret.u64(8) ^ secret.u64(16)) - mixed);
    hash = u64((hash ^ rotl64(hash, 49n) ^ rotl64(hash, 24n)) * MIX);
    hash = u64((hash ^ ((hash >> 35n) + BigInt(length))) * MIX);
    return hash ^ (hash >> 28n);
  }
  if (length > 0) {
    const combined = (BigInt(read.u8(0)) << 16n) | (BigInt(read.u8(length >> 1)) << 24n) |
      BigInt(read.u8(length - 1)) | (BigInt(length) << 8n);
    return xxAvalanche64(combined ^ u64(BigInt((secret.u32(0) ^ secret.u32(4)) >>> 0) + seed));
  }
  return xxAvalanche64(seed ^ secret.u64(56) ^ secret.u64(64));
}

function upTo240(read: ByteReader, secret: ByteReader, seed: bigint): bigint {
  const { length } = read;
  const mix16 = (at: number, key: number) =>
    mulFold(read.u64(at) ^ u64(secret.u64(key) + seed), read.u64(at + 8) ^ u64(secret.u64(key + 8) - seed));
  let acc = BigInt(length) * P64[0];
  if (length <= 128) {
    for (let index = Math.floor((length - 1) / 32); index >= 0; index--) {
      acc += mix16(16 * index, 32 * index) + mix16(length - 16 * (index + 1), 32 * index + 16);
    }
    return avalanche(u64(acc));
  }
  const rounds = Math.floor(length / 16);
  for (let index = 0; index < 8; index++) acc += mix16(16 * index, 16 * index);
  acc = avalanche(u64(acc));
  for (let index = 8; index < rounds; index++) acc += mix16(16 * index, 16 * (index - 8) + 3);
  return avalanche(u64(acc + mix16(length - 16, 136 - 17)));
}

/** The secret for a seed. */
function seeded(secret: ByteReader, seed: bigint): ByteReader {
  const view = new DataView(new ArrayBuffer(SECRET_BYTES));
  for (let at = 0; at < SECRET_BYTES; at += 16) {
    view.setBigUint64(at, u64(secret.u64(at) + seed), true);
    view.setBigUint64(at + 8, u64(secret.u64(at + 8) - seed), true);
  }
  return byteReader(new Uint8Array(view.buffer));
}

function long(read: ByteReader, secret: ByteReader): bigint {
  const { length } = read;
  const acc: bigint[] = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]];
  const accumulate = (at: number, key: number) => {
    for (let lane = 0; lane < 8; lane++) {
      const word = read.u64(at + 8 * lane);
      const keyed = word ^ secret.u64(key + 8 * lane);
      acc[lane ^ 1] = u64(acc[lane ^ 1]! + word);
      acc[lane] = u64(acc[lane]! + (keyed & LOW_32) * (keyed >> 32n));
    }
  };
  const stripes = (SECRET_BYTES - 64) / 8;
  const blockBytes = 64 * stripes;
  const blocks = Math.floor((length - 1) / blockBytes);
  for (let block = 0; block < blocks; block++) {
    for (let stripe = 0; stripe < stripes; stripe++) accumulate(block * blockBytes + stripe * 64, stripe * 8);
    for (let lane = 0; lane < 8; lane++) {
      const value = acc[lane]!;
      acc[lane] = u64((value ^ (value >> 47n) ^ secret.u64(SECRET_BYTES - 64 + 8 * lane)) * P32[0]);
    }
  }
  const rest = Math.floor((length - 1 - blocks * blockBytes) / 64);
  for (let stripe = 0; stripe < rest; stripe++) accumulate(blocks * blockBytes + stripe * 64, stripe * 8);
  accumulate(length - 64, SECRET_BYTES - 64 - 7);
  let hash = BigInt(length) * P64[0];
  for (let pair = 0; pair < 4; pair++) {
    hash += mulFold(
      acc[2 * pair]! ^ secret.u64(11 + 16 * pair),
      acc[2 * pair + 1]! ^ secret.u64(11 + 16 * pair + 8),
    );
  }
  return avalanche(u64(hash));
}
