import assert from "node:assert/strict";
import { join } from "node:path";
import { type CachedLoad, readLoadCache, writeLoadCache } from "./load_cache.ts";

const LOAD: CachedLoad = {
  key: "k",
  description: "d",
  parameters: { type: "object" },
  fingerprint: { files: ["/p/x.ts"], hash: "abc" },
};

Deno.test("load cache: written whole, read back; whatever is wrong is a miss", () => {
  const folder = Deno.makeTempDirSync();
  const file = join(folder, "catalogue.json");
  try {
    assert.equal(readLoadCache(folder).size, 0);
    const entries = new Map([["x", LOAD], ["__proto__", LOAD]]);
    writeLoadCache(folder, entries);
    assert.deepEqual(readLoadCache(folder), entries);
    assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), ["catalogue.json"]);
    const whole = Deno.readTextFileSync(file);
    for (
      const text of ["", "{", "null", "[]", whole.slice(0, -20), whole.replace('"format":1', '"format":0')]
    ) {
      Deno.writeTextFileSync(file, text);
      assert.equal(readLoadCache(folder).size, 0, text);
    }
    // One broken entry costs one entry.
    for (
      const change of [{ key: 1 }, { parameters: [] }, { fingerprint: {} }, {
        fingerprint: { files: [1], hash: "" },
      }]
    ) {
      const tools = [["good", LOAD], ["bad", { ...LOAD, ...change }], "bad", [1, LOAD]];
      Deno.writeTextFileSync(file, JSON.stringify({ format: 1, tools }));
      assert.deepEqual([...readLoadCache(folder).keys()], ["good"]);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("load cache: when it can't be written the old one stays and nothing is left behind", () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.mkdirSync(join(folder, "catalogue.json", "in the way"), { recursive: true });
    assert.throws(() => writeLoadCache(folder, new Map([["x", LOAD]])));
    assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), ["catalogue.json"]);
    assert.throws(() => writeLoadCache(join(folder, "not there"), new Map()));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
