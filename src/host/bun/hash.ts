import { argumentError } from "./argument_error.ts";
import { isBinary, toBytes } from "./bytes.ts";
import { adler32, crc32 } from "./hash/checksums.ts";
import { cityHash32, cityHash64 } from "./hash/city_hash.ts";
import { murmur32v2, murmur32v3, murmur64v2 } from "./hash/murmur.ts";
import { rapidhash } from "./hash/rapidhash.ts";
import { wyhash } from "./hash/wyhash.ts";
import { xxHash32, xxHash64 } from "./hash/xx_hash.ts";
import { xxHash3 } from "./hash/xx_hash3.ts";

/** A hash as `Bun.hash` offers it: of a string's UTF-8 or of bytes, with an optional integer seed. */
export type Hash<Result> = (data: unknown, seed?: number | bigint) => Result;

const hash32 = (hash: (bytes: Uint8Array, seed: number) => number): Hash<number> => (data, seed) =>
  hash(hashed(data), Number(BigInt.asUintN(32, seedOf(seed))));
const hash64 = (hash: (bytes: Uint8Array, seed: bigint) => bigint): Hash<bigint> => (data, seed) =>
  hash(hashed(data), BigInt.asUintN(64, seedOf(seed)));

const wyhash64 = hash64(wyhash);

/**
 * `Bun.hash`: Wyhash, and the other non-cryptographic hashes as its members. 32-bit hashes are numbers, 64-bit ones
 * bigints; each is checked against the values Bun 1.4 gives (`hash_test.ts`).
 */
export const hash = Object.assign(
  (data: unknown, seed?: number | bigint) => wyhash64(data, seed),
  {
    wyhash: wyhash64,
    adler32: hash32(adler32),
    crc32: hash32(crc32),
    cityHash32: hash32(cityHash32),
    cityHash64: hash64(cityHash64),
    xxHash32: hash32(xxHash32),
    xxHash64: hash64(xxHash64),
    // Bun takes the low 32 bits of this one's seed
    xxHash3: (data: unknown, seed?: number | bigint) =>
      xxHash3(hashed(data), BigInt.asUintN(32, seedOf(seed))),
    murmur32v2: hash32(murmur32v2),
    murmur32v3: hash32(murmur32v3),
    murmur64v2: hash64(murmur64v2),
    rapidhash: hash64(rapidhash),
  },
);

/** The bytes to hash; anything but binary data is made a string first, as with Bun. */
function hashed(data: unknown): Uint8Array {
  if (isBinary(data)) return toBytes(data);
  if (data === undefined || data === null || data instanceof Blob) {
    throw argumentError(
      "data must be a string, ArrayBuffer or ArrayBufferView: read a Blob with .bytes() first",
    );
  }
  return toBytes(String(data));
}

/** A seed as an integer; what is none counts as 0. */
function seedOf(seed: unknown): bigint {
  if (typeof seed === "bigint") return seed;
  return typeof seed === "number" && Number.isFinite(seed) ? BigInt(Math.trunc(seed)) : 0n;
}
