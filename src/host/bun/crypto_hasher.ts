import type { Hash } from "node:crypto";
import { argumentError } from "./argument_error.ts";
import { builtin } from "./builtin.ts";
import { type BinaryLike, isBinary, toBytes } from "./bytes.ts";

/** Digest and block size in bytes of each algorithm; without a block size it has no HMAC (as with Bun). */
const ALGORITHMS: Readonly<Record<string, { digest: number; block?: number }>> = {
  blake2b512: { digest: 64, block: 128 },
  blake2s256: { digest: 32 },
  md4: { digest: 16, block: 64 },
  md5: { digest: 16, block: 64 },
  ripemd160: { digest: 20, block: 64 },
  sha1: { digest: 20, block: 64 },
  sha224: { digest: 28, block: 64 },
  sha256: { digest: 32, block: 64 },
  sha384: { digest: 48, block: 128 },
  sha512: { digest: 64, block: 128 },
  "sha512-224": { digest: 28, block: 128 },
  "sha512-256": { digest: 32, block: 128 },
  "sha3-224": { digest: 28, block: 144 },
  "sha3-256": { digest: 32, block: 136 },
  "sha3-384": { digest: 48, block: 104 },
  "sha3-512": { digest: 64, block: 72 },
  shake128: { digest: 16 },
  shake256: { digest: 32 },
};

/** Other spellings Bun takes. */
const ALIASES: Readonly<Record<string, string>> = {
  rmd160: "ripemd160",
  "sha-1": "sha1",
  "sha-224": "sha224",
  "sha-256": "sha256",
  "sha-384": "sha384",
  "sha-512": "sha512",
  "sha-512/224": "sha512-224",
  "sha-512/256": "sha512-256",
};

type Encoding = Parameters<Buffer["toString"]>[0];

/**
 * `Bun.CryptoHasher`: an incremental cryptographic hash by node:crypto, or with a key an HMAC.
 *
 * After `digest()` a hash starts anew; an HMAC can't be used again.
 */
export class CryptoHasher {
  /** The algorithms, in Bun's spelling. */
  static readonly algorithms: string[] = Object.keys(ALGORITHMS);

  readonly algorithm: string;
  #hash: Hash | undefined;
  /** Present for an HMAC: the key padded to a block, as it starts the outer hash. */
  #outerKey: Uint8Array | undefined;

  /**
   * @param algorithm One of {@link CryptoHasher.algorithms}, in any case.
   * @param key Makes it an HMAC.
   * @throws {TypeError} for an algorithm that is not known; {Error} for one that has no HMAC.
   */
  constructor(algorithm: string, key?: string | BinaryLike | null) {
    this.algorithm = algorithmName(algorithm);
    if (key === undefined || key === null) {
      this.#hash = newHash(this.algorithm);
      return;
    }
    const { block } = ALGORITHMS[this.algorithm]!;
    if (block === undefined) throw new Error("HMAC is not supported for this algorithm yet");
    const bytes = dataBytes(key);
    const padded = new Uint8Array(block);
    padded.set(bytes.length > block ? newHash(this.algorithm).update(bytes).digest() : bytes);
    this.#outerKey = padded.map((byte) => byte ^ 0x5c);
    this.#hash = newHash(this.algorithm).update(padded.map((byte) => byte ^ 0x36));
  }

  /** Hashes at once: `new CryptoHasher(algorithm).update(input).digest(output)`. */
  static hash(algorithm: string, input: string | BinaryLike): Buffer;
  static hash(algorithm: string, input: string | BinaryLike, encoding: Encoding): string;
  static hash<Into extends BinaryLike>(algorithm: string, input: string | BinaryLike, into: Into): Into;
  static hash(algorithm: string, input: string | BinaryLike, output?: Encoding | BinaryLike): unknown {
    const hasher = new CryptoHasher(algorithm).update(input);
    return isBinary(output)
      ? hasher.digest(output)
      : output === undefined
      ? hasher.digest()
      : hasher.digest(output);
  }

  /** Length of the digest in bytes. */
  get byteLength(): number {
    return ALGORITHMS[this.algorithm]!.digest;
  }

  /**
   * Adds data.
   *
   * @param encoding How a string gives bytes; UTF-8 when absent.
   */
  update(input: string | BinaryLike, encoding?: Encoding): this {
    const bytes = typeof input === "string" && encoding !== undefined
      ? Buffer.from(input, encoding)
      : dataBytes(input);
    this.#current().update(bytes);
    return this;
  }

  /** The digest as bytes, as a string in an encoding, or written into the start of a buffer, which is returned. */
  digest(): Buffer;
  digest(encoding: Encoding): string;
  digest<Into extends BinaryLike>(into: Into): Into;
  digest(output?: Encoding | BinaryLike): unknown {
    const inner = this.#current();
    if (isBinary(output) && output.byteLength < this.byteLength) {
      throw argumentError(`TypedArray must be at least ${this.byteLength} bytes`);
    }
    if (typeof output === "string" && output as string !== "buffer" && !Buffer.isEncoding(output)) {
      throw Object.assign(new TypeError(`Unknown encoding: ${output}`), { code: "ERR_INVALID_ARG_VALUE" });
    }
    const digest = this.#outerKey === undefined
      ? inner.digest()
      : newHash(this.algorithm).update(this.#outerKey).update(inner.digest()).digest();
    this.#hash = this.#outerKey === undefined ? newHash(this.algorithm) : undefined;
    if (isBinary(output)) {
      toBytes(output).set(digest);
      return output;
    }
    return output === undefined || output as string === "buffer" ? digest : digest.toString(output);
  }

  /** Another hasher in the same state. */
  copy(): CryptoHasher {
    const copy = new CryptoHasher(this.algorithm);
    copy.#hash = this.#current().copy();
    copy.#outerKey = this.#outerKey;
    return copy;
  }

  #current(): Hash {
    if (this.#hash === undefined) throw new Error("HMAC has been consumed and is no longer usable");
    return this.#hash;
  }
}

/** Bun's spelling of an algorithm. */
function algorithmName(given: unknown): string {
  if (typeof given !== "string") throw argumentError("algorithm must be a string");
  const lower = given.toLowerCase();
  const name = Object.hasOwn(ALIASES, lower) ? ALIASES[lower]! : lower;
  if (name === "blake2b256") {
    throw new Error(
      'Bun.CryptoHasher("blake2b256") is not available in this runtime: use "blake2b512" or "blake2s256"',
    );
  }
  if (!Object.hasOwn(ALGORITHMS, name)) throw argumentError(`Unsupported algorithm ${given}`);
  return name;
}

function newHash(algorithm: string): Hash {
  const { createHash } = builtin("node:crypto");
  // without a length node:crypto warns for these two
  return algorithm.startsWith("shake")
    ? createHash(algorithm, { outputLength: ALGORITHMS[algorithm]!.digest })
    : createHash(algorithm);
}

function dataBytes(data: unknown): Uint8Array {
  if (typeof data === "string" || isBinary(data)) return toBytes(data);
  throw argumentError(
    "input must be a string, ArrayBuffer or ArrayBufferView: read a Blob with .bytes() first",
  );
}
