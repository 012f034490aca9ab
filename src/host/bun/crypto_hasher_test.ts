import assert from "node:assert/strict";
import { CryptoHasher } from "./crypto_hasher.ts";

/**
 * What Bun 1.4 gives: the digest of `hello world`, its HMAC under `secret-key`, and the first 12 digits of the HMAC of
 * `x` under a key of 300 times `k`.
 */
const VALUES: [string, string, string | undefined, string | undefined][] = [
  [
    "blake2b512",
    "021ced8799296ceca557832ab941a50b4a11f83478cf141f51f933f653ab9fbcc05a037cddbed06e309bf334942c4e58cdf1a46e237911ccd7fcf9787cbc7fd0",
    "657351398239cf60c67d255ddfc9395391086f661fdf02f0d0d9b2bd9daad23d71eaf453149cfb86b1c73e504e8c0369b3296b9868a804557813de301259a548",
    "228a90188c52",
  ],
  ["blake2s256", "9aec6806794561107e594b1f6a8a6b0c92a0cba9acf5e5e93cca06f781813b0b", undefined, undefined],
  ["md4", "aa010fbc1d14c795d86ef98c95479d17", "2a482e94dc08df92d9e66a1376352ff6", "3b763a58283c"],
  ["md5", "5eb63bbbe01eeed093cb22bb8f5acdc3", "36b89aaa72560638852703acba484b2b", "ed201d0dfbf1"],
  [
    "ripemd160",
    "98c615784ccb5fe5936fbc0cbe9dfdb408d92f0f",
    "3a6df84ecc4499252704621277ec05e64d8b2d36",
    "65539b0bf35d",
  ],
  [
    "sha1",
    "2aae6c35c94fcfb415dbe95f408b9ce91ee846ed",
    "b84b002077152646a6da921cf58121705150a967",
    "9f6dbe37d89c",
  ],
  [
    "sha224",
    "2f05477fc24bb4faefd86517156dafdecec45b8ad3cf2522a563582b",
    "123d38df69a42a956cecf50149496b2396e166eae520eb89a9337b93",
    "91e7c590932c",
  ],
  [
    "sha256",
    "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
    "095d5a21fe6d0646db223fdf3de6436bb8dfb2fab0b51677ecf6441fcf5f2a67",
    "48764b85955b",
  ],
  [
    "sha384",
    "fdbd8e75a67f29f701a4e040385e2e23986303ea10239211af907fcbb83578b3e417cb71ce646efd0819dd8c088de1bd",
    "061b1060a11fc44acf968a1f668968f0835d08dfe2efaf57ba3c2664c50f11c1571e20f2c1d9b156df9e11d324425be5",
    "d19f693c8197",
  ],
  [
    "sha512",
    "309ecc489c12d6eb4cc40f50c902f2b4d0ed77ee511a7c7a9bcd3ca86d4cd86f989dd35bc5ff499670da34255b45b0cfd830e81f605dcf7dc5542e93ae9cd76f",
    "5b6a26f290fb28d52d9f87304f4c46df2263ec9d01987444956f960303b9a6b23ed425a47b637a99609ff9da1fae100fcab3cc279b98fad0ad7409e69e74253b",
    "d1878e836990",
  ],
  [
    "sha512-224",
    "22e0d52336f64a998085078b05a6e37b26f8120f43bf4db4c43a64ee",
    "7728165b42554200a4576dfdea01b0b4e497d2cda1ffe08c8226a61b",
    "e2d3913619a2",
  ],
  [
    "sha512-256",
    "0ac561fac838104e3f2e4ad107b4bee3e938bf15f2b15f009ccccd61a913f017",
    "9ac3c8aa1ed5041cc6ddf35f63bdd534788252d51fc6469eeaa1eaa54104a86a",
    "aea39a1053ff",
  ],
  [
    "sha3-224",
    "dfb7f18c77e928bb56faeb2da27291bd790bc1045cde45f3210bb6c5",
    "8a3083b3c4c42a6aabb1dedc95ba87c02c44c8147df228a5370742d4",
    "7da14d7b1473",
  ],
  [
    "sha3-256",
    "644bcc7e564373040999aac89e7622f3ca71fba1d972fd94a31c3bfbf24e3938",
    "a512c92c5ee3a4c5bbcc9b3b176b9fa5fd2d77689cf6bfe03d3bcc70e528d019",
    "5a91edf7e0c1",
  ],
  [
    "sha3-384",
    "83bff28dde1b1bf5810071c6643c08e5b05bdb836effd70b403ea8ea0a634dc4997eb1053aa3593f590f9c63630dd90b",
    "aefd70e35e9ec3fbc41415e35ec0b875edb1d3396c4e74f872b8056b94326b45cf4a88b82e52971adffba4fcdb4905a4",
    "7582d5a8348e",
  ],
  [
    "sha3-512",
    "840006653e9ac9e95117a15c915caab81662918e925de9e004f774ff82d7079a40d4d27b1b372657c61d46d470304c88c788b3a4527ad074d1dccbee5dbaa99a",
    "a4e5d1193001ceb66000d03d5bbe4998f3a2bd443bc86fc0cc81fae7079478a51a33b126a7b47632afacc5b1aea2414e68b1165f694310cdce58b9220a1e2ce7",
    "fecb0c3ddeef",
  ],
  ["shake128", "3a9159f071e4dd1c8c4f968607c30942", undefined, undefined],
  ["shake256", "369771bb2cb9d2b04c1d54cca487e372d9f187f73f7ba3f65b95c8ee7798c527", undefined, undefined],
];

Deno.test("CryptoHasher gives Bun's digests", () => {
  assert.deepEqual(CryptoHasher.algorithms, VALUES.map(([algorithm]) => algorithm));
  for (const [algorithm, digest, hmac, longKey] of VALUES) {
    const hasher = new CryptoHasher(algorithm);
    assert.equal(hasher.byteLength, digest.length / 2, algorithm);
    assert.equal(
      hasher.update("hello ").update(new TextEncoder().encode("world")).digest("hex"),
      digest,
      algorithm,
    );
    assert.equal(CryptoHasher.hash(algorithm, "hello world", "hex"), digest, algorithm);
    if (hmac === undefined) {
      assert.throws(() => new CryptoHasher(algorithm, "secret-key"), /HMAC is not supported/, algorithm);
      continue;
    }
    const keyed = new CryptoHasher(algorithm, "secret-key").update("hello world");
    const copy = keyed.copy().update("!");
    assert.equal(keyed.digest("hex"), hmac, algorithm);
    assert.notEqual(copy.digest("hex"), hmac, algorithm);
    assert.throws(() => keyed.digest(), /HMAC has been consumed/, algorithm);
    assert.throws(() => keyed.update("x"), /HMAC has been consumed/, algorithm);
    assert.throws(() => keyed.copy(), /HMAC has been consumed/, algorithm);
    const long = new CryptoHasher(algorithm, new TextEncoder().encode("k".repeat(300)));
    assert.equal(long.update("x").digest("hex").slice(0, 12), longKey, algorithm);
  }
});

Deno.test("CryptoHasher documents its copy after an HMAC as Bun does", () => {
  const hasher = new CryptoHasher("sha256", "secret-key").update("hello world");
  const copy = hasher.copy().update("!");
  assert.equal(copy.digest("hex"), "3840176c3d8923f59ac402b7550404b28ab11cb0ef1fa199130a5c37864b5497");
  assert.equal(hasher.digest("hex"), "095d5a21fe6d0646db223fdf3de6436bb8dfb2fab0b51677ecf6441fcf5f2a67");
});

Deno.test("CryptoHasher starts anew after a digest", () => {
  const hasher = new CryptoHasher("sha256").update("a");
  const a = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
  assert.equal(hasher.digest("hex"), a);
  assert.equal(hasher.digest("hex"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(hasher.update("YQ==", "base64").digest("hex"), a);
  assert.equal(hasher.update("61", "hex").digest("base64"), "ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=");
  const { buffer } = hasher.update("a").digest();
  assert.ok(buffer instanceof ArrayBuffer);
});

Deno.test("CryptoHasher writes a digest into a buffer", () => {
  const into = new Uint8Array(40);
  assert.equal(CryptoHasher.hash("sha256", "a", into), into);
  assert.deepEqual([...into.subarray(0, 2), ...into.subarray(30)], [
    202,
    151,
    72,
    187,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  assert.equal(CryptoHasher.hash("sha256", "a", new Uint16Array(16))[0], 38858);
  assert.throws(
    () => CryptoHasher.hash("sha256", "a", new Uint8Array(31)),
    /TypedArray must be at least 32 bytes/,
  );
});

Deno.test("CryptoHasher reads algorithm names as Bun does", () => {
  const names: [string, string][] = [
    ["SHA256", "sha256"],
    ["sha-256", "sha256"],
    ["SHA-1", "sha1"],
    ["rmd160", "ripemd160"],
    ["sha-512/256", "sha512-256"],
  ];
  for (const [given, name] of names) assert.equal(new CryptoHasher(given).algorithm, name);
  for (const given of ["nope", "sha512/256", "sha512_256", "RSA-SHA256", "constructor", ""]) {
    assert.throws(() => new CryptoHasher(given), {
      name: "TypeError",
      message: `Unsupported algorithm ${given}`,
    });
  }
  assert.throws(
    () => new CryptoHasher("blake2b256"),
    /^Error: Bun\.CryptoHasher\("blake2b256"\) is not available in this runtime: use /,
  );
  assert.throws(() => CryptoHasher.hash("sha256", "a", "zzz" as "hex"), /Unknown encoding: zzz/);
});
