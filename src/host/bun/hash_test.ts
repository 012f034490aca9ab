import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { hash } from "./hash.ts";

type Name = Exclude<keyof typeof hash, "length" | "name" | "prototype" | keyof typeof Function.prototype>;

/** Values of Bun's own test suite (`hash.test.js`) and documentation. */
const PUBLISHED: [Name, string, number | undefined, number | bigint][] = [
  ["wyhash", "hello world", undefined, 0x668d5e431c3b2573n],
  ["adler32", "hello world", undefined, 0x1a0b045d],
  ["crc32", "hello world", undefined, 0x0d4a1185],
  ["cityHash32", "hello world", undefined, 0x19a7581a],
  ["cityHash64", "hello world", undefined, 0xc7920bbdbecee42fn],
  ["murmur32v3", "hello world", undefined, 0x5e928f0f],
  ["murmur32v2", "hello world", undefined, 0x44a81419],
  ["murmur64v2", "hello world", undefined, 0xd3ba2368a832afcen],
  ["wyhash", "some data here", undefined, 11562320457524636935n],
  ["wyhash", "some data here", 1234, 15724820720172937558n],
  ["xxHash32", "hello world", undefined, 0xcebb6622],
  ["xxHash64", "hello world", undefined, 0x45ab6734b21e6968n],
  ["xxHash3", "hello world", undefined, 0xd447b1ea40e6988bn],
  ["rapidhash", "hello world", undefined, 0x58a89bdcee89c08cn],
];

/** Lengths at and around every branch of the algorithms. */
const LENGTHS = [
  ...Array(300).keys(),
  ...[511, 512, 513, 1023, 1024, 1025, 1087, 1088, 1089, 2047, 2048, 2049, 2112, 3000, 5000],
];
const SEEDS = [undefined, 1, 1234, 4294967295, 0x123456789abcdef01n, -1];

/**
 * For each hash and seed, the first 16 digits of the SHA-256 over the lines `<length>:<hash>` that Bun 1.4 gives for
 * the first `length` bytes of {@link bytes}.
 */
const DIGESTS: Record<Name, string> = {
  wyhash:
    "eb2c7be9250c5141 4c8de1e7a26c38fd 96954161b93852e5 f2b949e8e1a30682 6ece143e9e0fd585 435612bc5b4822c3",
  adler32:
    "e945b0a5c5f301f9 e945b0a5c5f301f9 e945b0a5c5f301f9 e945b0a5c5f301f9 e945b0a5c5f301f9 e945b0a5c5f301f9",
  crc32:
    "8b1301bcbd88d79c b54c27ceb0751bd2 055c8ffb8a7dcabd 7cb8c3f60ee7214a 2474d59c220eec87 7cb8c3f60ee7214a",
  cityHash32:
    "c162b2fff5da2d3c c162b2fff5da2d3c c162b2fff5da2d3c c162b2fff5da2d3c c162b2fff5da2d3c c162b2fff5da2d3c",
  cityHash64:
    "07c627e3ff2e0294 f62cd3a373dc6b9d bad7af57f96e4d44 b92995e06a1c6fe9 5521c8c8f1c824ad fdda9e0847696893",
  xxHash32:
    "da1450c2c599c320 e7191a02c5477f59 f86d7e8edcff9405 dcd0dc3dccb8a9a6 8499149c58294d76 dcd0dc3dccb8a9a6",
  xxHash64:
    "ea4df5d03c09289d b2f453559c7a8b23 4edb24784fc5b684 14afc1198cd7fa78 325eaa5e875da912 9e042937be091671",
  xxHash3:
    "6e6a57144eaceeed d7ff507cbf962fe9 ecf5b7554c02875b c2fb5a0f41e21b09 d2dd6bd5a66fca5f c2fb5a0f41e21b09",
  murmur32v2:
    "40425c2f0096d3f6 209c34bd049a6955 e69cf22ee1abc6a9 f1501bbe74102969 f71fb473ebdd7041 f1501bbe74102969",
  murmur32v3:
    "2fe8122cf24b7c30 3f1673911f69e1f0 633fd4238062906e 408561cf1d077062 7b6669745afce27c 408561cf1d077062",
  murmur64v2:
    "a7c664fe7de515c1 ea66b43df694cf6b ba2bb3621a781c8a fe7ef835067f2690 169b4309d521a9e5 5e28dc1a402f44a7",
  rapidhash:
    "35d35b70fb2178b1 cdda516d0c06c7b6 8985da68d1ea4e20 d90ef3a770d4ff13 22a5f456438d15f7 a52d3b195014cd4e",
};

/** 5,000 bytes of a linear congruential generator. */
function bytes(): Uint8Array {
  let state = 12345;
  return Uint8Array.from({ length: 5000 }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 16;
  });
}

Deno.test("Bun.hash gives the published values", () => {
  for (const [name, text, seed, value] of PUBLISHED) {
    assert.equal(hash[name](text, seed), value, name);
    assert.equal(hash[name](new TextEncoder().encode(text), seed), value, name);
  }
  assert.equal(hash("hello world"), 0x668d5e431c3b2573n);
});

for (const name of Object.keys(DIGESTS) as Name[]) {
  Deno.test(`Bun.hash.${name} gives Bun's values for every length and seed`, () => {
    const data = bytes();
    const digests = SEEDS.map((seed) => {
      const lines = LENGTHS.map((length) => `${length}:${hash[name](data.subarray(0, length), seed)}`);
      return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16);
    });
    assert.deepEqual(digests, DIGESTS[name].split(" "));
  });
}

Deno.test("Bun.hash takes strings, buffers and views alike", () => {
  const padded = new Uint8Array([9, 1, 2, 3, 4, 9]);
  const view = padded.subarray(1, 5);
  const expected = hash(new Uint8Array([1, 2, 3, 4]));
  assert.equal(hash(view), expected);
  assert.equal(hash(view.slice().buffer), expected);
  assert.equal(hash(new DataView(padded.buffer, 1, 4)), expected);
  const shared = new SharedArrayBuffer(4);
  new Uint8Array(shared).set([1, 2, 3, 4]);
  assert.equal(hash(shared), expected);
  assert.equal(hash("\ud800"), hash("\ufffd"));
  assert.equal(hash(123), 3591956335837950823n);
});

Deno.test("Bun.hash refuses nothing and a Blob", () => {
  for (const data of [undefined, null, new Blob(["x"])]) assert.throws(() => hash(data), TypeError);
});
