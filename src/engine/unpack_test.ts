import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { BeeuniError } from "../errors/error.ts";
import type { EngineFile, EngineRecord } from "./record.ts";
import { unpackEngine } from "./unpack.ts";

/** A little executable's inside: a script in the place of the Deno CLI, and a module. */
function carried(): { root: string; source: string; id: string } & Disposable {
  const root = Deno.makeTempDirSync({ prefix: "beeuni unpack " });
  const source = join(root, "inside");
  const contents = new Map([["deno", "#!/bin/sh\necho run\n"], [
    "engine/host/runner/main.js",
    "export {};\n",
  ]]);
  const files: EngineFile[] = [];
  for (const [path, text] of contents) {
    const sha256 = createHash("sha256").update(text).digest("hex");
    Deno.mkdirSync(join(source, "payload"), { recursive: true });
    Deno.writeTextFileSync(join(source, "payload", sha256), text);
    files.push({ path, size: text.length, sha256, mode: path === "deno" ? 0o700 : 0o600 });
  }
  const record: EngineRecord = { version: "1.2.3", commit: "c", id: "0123abcd", target: "t", files };
  Deno.writeTextFileSync(join(source, "engine.json"), JSON.stringify(record));
  return {
    root,
    source,
    id: record.id,
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

const uid = process.geteuid?.() ?? 0;

Deno.test("unpackEngine: files, modes, and the folder's own mode", () => {
  using inside = carried();
  const cache = join(inside.root, "my cache", "beeuni");
  const place = unpackEngine(inside.source, { folders: [cache] });
  assert.equal(place, join(Deno.realPathSync(cache), inside.id));
  assert.equal(Deno.statSync(place).mode! & 0o777, 0o700);
  assert.equal(Deno.statSync(cache).mode! & 0o777, 0o700);
  assert.equal(Deno.statSync(join(place, "deno")).mode! & 0o777, 0o700);
  assert.equal(Deno.readTextFileSync(join(place, "engine/host/runner/main.js")), "export {};\n");
});

Deno.test("unpackEngine: a whole copy is left alone", () => {
  using inside = carried();
  const folders = [join(inside.root, "cache")];
  const place = unpackEngine(inside.source, { folders });
  const before = Deno.statSync(join(place, "deno")).ino;
  unpackEngine(inside.source, { folders });
  assert.equal(Deno.statSync(join(place, "deno")).ino, before);
});

const DAMAGE: [name: string, damage: (place: string) => void][] = [
  ["a file cut short", (place) => Deno.truncateSync(join(place, "deno"), 3)],
  ["a byte changed in place", (place) => {
    using file = Deno.openSync(join(place, "deno"), { write: true });
    file.writeSync(new TextEncoder().encode("#!/bin/SH"));
  }],
  ["a file missing", (place) => Deno.removeSync(join(place, "engine/host/runner/main.js"))],
  ["a folder in the place of a file", (place) => {
    Deno.removeSync(join(place, "deno"));
    Deno.mkdirSync(join(place, "deno/x"), { recursive: true });
  }],
  ["the record missing", (place) => Deno.removeSync(join(place, "engine.json"))],
  ["the marker missing", (place) => Deno.removeSync(join(place, "complete"))],
  ["a file that may not be run", (place) => Deno.chmodSync(join(place, "deno"), 0o600)],
];
for (const [name, damage] of DAMAGE) {
  Deno.test(`unpackEngine: repairs ${name}`, () => {
    using inside = carried();
    const folders = [join(inside.root, "cache")];
    damage(unpackEngine(inside.source, { folders }));
    const place = unpackEngine(inside.source, { folders });
    assert.equal(Deno.readTextFileSync(join(place, "deno")), "#!/bin/sh\necho run\n");
    assert.equal(Deno.readTextFileSync(join(place, "engine/host/runner/main.js")), "export {};\n");
    assert.equal(Deno.statSync(join(place, "deno")).mode! & 0o777, 0o700);
  });
}

Deno.test("unpackEngine: a folder that others may write is left for the next one", () => {
  using inside = carried();
  const open = join(inside.root, "open"), safe = join(inside.root, "safe");
  Deno.mkdirSync(open);
  Deno.chmodSync(open, 0o777);
  assert.equal(
    unpackEngine(inside.source, { folders: [open, safe] }),
    join(Deno.realPathSync(safe), inside.id),
  );
  assert.throws(
    () => unpackEngine(inside.source, { folders: [open] }),
    (error) => error instanceof BeeuniError && error.code === "engine",
  );
});

Deno.test("unpackEngine: a folder of another user is not used", () => {
  using inside = carried();
  assert.throws(
    () => unpackEngine(inside.source, { folders: [join(inside.root, "cache")], uid: uid + 1 }),
    (error) => error instanceof BeeuniError && error.code === "engine",
  );
});

Deno.test("unpackEngine: damage inside the executable is not unpacked", () => {
  using inside = carried();
  for (const { name } of Deno.readDirSync(join(inside.source, "payload"))) {
    Deno.writeTextFileSync(join(inside.source, "payload", name), "x");
  }
  assert.throws(
    () => unpackEngine(inside.source, { folders: [join(inside.root, "cache")] }),
    (error) => error instanceof BeeuniError && String(error.cause).includes("deno is damaged"),
  );
  assert.equal([...Deno.readDirSync(join(inside.root, "cache", inside.id))].length, 0);
});
