import assert from "node:assert/strict";
import { importCandidates, relativeImports } from "./import_scan.ts";

Deno.test("relativeImports: every relative literal", () => {
  const text = `
    import a, { b } from "./a.ts";
    import "../side.js";
    export * from './c.mts'
    const d = await import("./d.ts"), e = require('../e.cjs'), f = require( "./f" );
    import json from "./g.json" with { type: "json" };
    import zod from "zod"; import fs from "node:fs"; await import(name);
    import "./a.ts"; // twice
  `;
  assert.deepEqual(relativeImports(text), [
    "./a.ts",
    "../side.js",
    "./c.mts",
    "./d.ts",
    "../e.cjs",
    "./f",
    "./g.json",
  ]);
  assert.deepEqual(relativeImports(""), []);
});

Deno.test("importCandidates: as written, .ts for .js, extensions, index", () => {
  const first = (specifier: string, count: number) =>
    importCandidates(specifier, "/p/tools/x.ts").slice(0, count);
  assert.deepEqual(first("./a.ts", 1), ["/p/tools/a.ts"]);
  assert.deepEqual(first("../lib/a.js", 2), ["/p/lib/a.js", "/p/lib/a.ts"]);
  assert.deepEqual(first("./a.mjs?x#y", 2), ["/p/tools/a.mjs", "/p/tools/a.mts"]);
  assert.deepEqual(first("./a", 3), ["/p/tools/a", "/p/tools/a.ts", "/p/tools/a.js"]);
  assert.ok(importCandidates("./a", "/p/tools/x.ts").includes("/p/tools/a/index.ts"));
});
