import assert from "node:assert/strict";
import { bunImportMap, bunModuleUrl } from "./bun_module.ts";
import { bunObject } from "./bun_object.ts";
import { bunSchemeMessage } from "./bun_scheme.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import importMap from "./import_map.json" with { type: "json" };
import { BUN_MODULE_NAMES } from "./module_names.ts";
import { unavailable, unavailableMessage } from "./unavailable.ts";

const bun = bunObject({ env: {}, run: false, tmp: "/tmp", tool: "lookup" });

Deno.test("import_map.json is what scripts/generate_bun_import_map.ts writes", () => {
  assert.deepEqual(importMap, bunImportMap());
});

Deno.test("each name of Bun's module is offered or has an equivalent, never both", () => {
  assert.equal(new Set(BUN_MODULE_NAMES).size, BUN_MODULE_NAMES.length);
  assert.deepEqual(Object.keys(bun), [...BUN_MODULE_NAMES]);
  const offered = BUN_MODULE_NAMES.filter((name) => !Object.hasOwn(EQUIVALENTS, name));
  assert.deepEqual(offered.sort(), [
    ...[
      "$",
      "CryptoHasher",
      "argv",
      "deepEquals",
      "embeddedFiles",
      "enableANSIColors",
      "env",
      "escapeHTML",
      "file",
    ],
    ...[
      "fileURLToPath",
      "hash",
      "inspect",
      "isMainThread",
      "isStandaloneExecutable",
      "main",
      "pathToFileURL",
    ],
    ...[
      "revision",
      "sleep",
      "sleepSync",
      "spawn",
      "spawnSync",
      "version",
      "version_with_sha",
      "which",
      "write",
    ],
  ]);
  assert.deepEqual(Object.keys(EQUIVALENTS).filter((name) => !BUN_MODULE_NAMES.includes(name)), []);
});

Deno.test("the module behind `bun` exports each name", () => {
  const source = decodeURIComponent(bunModuleUrl());
  for (const name of BUN_MODULE_NAMES) assert.ok(source.includes(name), name);
});

Deno.test("a stand-in can be had and not used", () => {
  for (const [name, { kind, use }] of Object.entries(EQUIVALENTS)) {
    const standIn = unavailable(name) as { (): void; new (): unknown; member: unknown };
    const message = `Bun.${name} is not available in this runtime: use ${use}`;
    assert.equal(unavailableMessage(name), message);
    assert.equal(typeof standIn, kind);
    if (kind === "function") {
      assert.throws(() => standIn(), { message });
      assert.throws(() => new standIn(), { message });
    }
    assert.throws(() => standIn.member, { message });
    assert.throws(() => Object.assign(standIn, { member: 1 }), { message });
    assert.equal(Reflect.get(standIn, "then"), undefined);
  }
});

Deno.test("a bun: module names the node: module", () => {
  const cases: [string, string][] = [
    ["bun:sqlite", "bun:sqlite is not available in this runtime: use node:sqlite"],
    ["bun:test", "bun:test is not available in this runtime: use node:test"],
    ["bun:constructor", "bun:constructor is not available in this runtime: use a node: module"],
  ];
  for (const [specifier, message] of cases) assert.equal(bunSchemeMessage(specifier), message);
});
