import assert from "node:assert/strict";
import type { BrokenEntry, ToolEntry } from "../manifest/model.ts";
import { ALWAYS_PROTECTED, protectedFor, protectedPaths } from "./protected_paths.ts";

const tool = (name: string, source: string): ToolEntry => ({ name, kind: "project", source });
const broken = (name: string, source: string): BrokenEntry => ({ name, source, error: "" });
const MANIFEST = {
  files: ["beeuni.yaml", "config/tools.yaml"],
  tools: [
    tool("a", "tools/a.ts"),
    tool("b", "./integrations/crm/b.ts"),
    tool("top", "top.ts"),
    tool("h", "harnesses/h.ts"),
    tool("show", "beeuni:show"),
  ],
  broken: [
    broken("c", "broken/c.ts"),
    broken("d", "beeuni:d"),
    broken("e", "/abs/e.ts"),
    broken("f", "../f.ts"),
  ],
};

Deno.test("protectedPaths: first parts of manifest files and modules, broken ones too", () => {
  const paths = protectedPaths(MANIFEST, [
    "lib/helper.ts",
    "tools/lib/x.ts",
    "data.json",
    "node_modules/a/i.js",
  ], [
    "packages/a/node_modules",
    "vendor/x/.git",
    "tools/node_modules",
  ]);
  assert.deepEqual(paths.declared, [
    "beeuni.yaml",
    "config",
    "tools",
    "integrations",
    "top.ts",
    "broken",
    "abs",
  ]);
  assert.deepEqual(paths.always, [...ALWAYS_PROTECTED, "packages/a/node_modules", "vendor/x/.git"]);
  assert.deepEqual(paths.modules.filter((path) => ["lib/helper.ts", "data.json"].includes(path)), [
    "lib/helper.ts",
    "data.json",
  ]);
  assert.equal(
    paths.modules.some((path) => path.startsWith("tools/") || path.startsWith("node_modules")),
    false,
  );
});

Deno.test("protectedPaths: nothing may be put where it would be imported in place of a helper", () => {
  const { modules } = protectedPaths(MANIFEST, ["src/lib/x.js", "deep/er/index.ts"]);
  const closed = [
    "src/lib/x.js",
    "src/lib/x.ts",
    "src/lib/x.mts",
    "src/lib/x.json",
    "src/lib/node_modules",
    "src/node_modules",
    "src/lib/package.json",
    "src/package.json",
    "deep/er.ts",
    "deep/er/index.js",
  ];
  for (const path of closed) assert.ok(modules.includes(path), path);
  // What a tool may write beside it stays open.
  for (const path of ["src", "src/lib", "deep", "deep/er"]) assert.ok(!modules.includes(path), path);
});

Deno.test("protectedFor: `permissions.write` opens a declared part by name, and nothing else", () => {
  const paths = {
    always: [".git", "node_modules"],
    declared: ["tools", "beeuni.yaml"],
    modules: ["lib/h.ts"],
  };
  const tree: Record<string, string[]> = { tools: ["a.ts", "out", "lib"], "tools/out": ["old.txt", "deep"] };
  const cases: [opened: string[], expected: string[]][] = [
    [[], [".git", "node_modules", "tools", "beeuni.yaml", "lib/h.ts"]],
    [["out", "data/x"], [".git", "node_modules", "tools", "beeuni.yaml", "lib/h.ts"]],
    [["tools"], [".git", "node_modules", "beeuni.yaml", "lib/h.ts"]],
    [[".git", ".git/hooks", "node_modules"], [".git", "node_modules", "tools", "beeuni.yaml", "lib/h.ts"]],
    // What stands beside an opened folder stays protected.
    [["tools/out"], [".git", "node_modules", "tools/a.ts", "tools/lib", "beeuni.yaml", "lib/h.ts"]],
    [["tools/out/deep"], [
      ".git",
      "node_modules",
      "tools/a.ts",
      "tools/out/old.txt",
      "tools/lib",
      "beeuni.yaml",
      "lib/h.ts",
    ]],
    [["lib"], [".git", "node_modules", "tools", "beeuni.yaml"]],
  ];
  for (const [opened, expected] of cases) {
    assert.deepEqual(protectedFor(paths, opened, (folder) => tree[folder] ?? []), expected, opened.join());
  }
});
