import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { findEngine, locateEngine } from "./engine.ts";

const ROOT = resolve(import.meta.dirname!, "..", "..");

Deno.test("findEngine: from source it is the Deno that runs us, with the files of src/", () => {
  const engine = findEngine();
  assert.equal(engine.built, "source");
  assert.equal(engine.deno, Deno.execPath());
  assert.equal(engine.runner, join(ROOT, "src/host/runner/main.ts"));
  assert.equal(engine.importMap, join(ROOT, "src/host/bun/import_map.json"));
  assert.equal(engine.tools, join(ROOT, "src/beeuni_tools"));
  assert.equal(engine.version, JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json"))).version);
  assert.match(engine.commit, /^([0-9a-f]{40}|unknown)$/);
  for (const path of [engine.runner, engine.importMap, engine.tools]) {
    assert.ok(path.startsWith(engine.directory));
  }
  assert.equal(findEngine(), engine);
});

Deno.test("locateEngine: beside an engine.json it is the unpacked files", () => {
  const folder = Deno.makeTempDirSync();
  try {
    const record = { version: "9.8.7", commit: "abc", id: "i", target: "t", files: [] };
    Deno.writeTextFileSync(join(folder, "engine.json"), JSON.stringify(record));
    assert.deepEqual(locateEngine(folder), {
      deno: join(folder, "deno"),
      directory: join(folder, "engine"),
      runner: join(folder, "engine/host/runner/main.js"),
      importMap: join(folder, "engine/host/bun/import_map.json"),
      tools: join(folder, "engine/beeuni_tools"),
      built: "self-extracting",
      version: "9.8.7",
      commit: "abc",
    });
    assert.equal(locateEngine("/somewhere", folder).built, "compiled");
    assert.equal(locateEngine("/somewhere", folder).deno, join(folder, "deno"));
    Deno.writeTextFileSync(join(folder, "engine.json"), "{");
    assert.throws(() => locateEngine(folder), { name: "BeeuniError", code: "engine" });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
