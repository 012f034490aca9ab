import assert from "node:assert/strict";
import { absolutePath, below, isInside, parentFolder, plainRelative } from "./paths.ts";

Deno.test("absolutePath", () => {
  const cases: [cwd: string, path: string, expected: string][] = [
    ["/a/b", ".", "/a/b"],
    ["/a/b", "", "/a/b"],
    ["/a/b", "c/./d//", "/a/b/c/d"],
    ["/a/b", "../c", "/a/c"],
    ["/a/b", "../../../..", "/"],
    ["/a/b", "/c/../d", "/d"],
    ["/", "x", "/x"],
  ];
  for (const [cwd, path, expected] of cases) assert.equal(absolutePath(cwd, path), expected);
});

Deno.test("parentFolder, below, isInside and plainRelative also at the root of the file system", () => {
  assert.equal(parentFolder("/a/b"), "/a");
  assert.equal(parentFolder("/a"), "/");
  assert.equal(parentFolder("/"), "/");
  assert.equal(below("/", "a"), "/a");
  assert.equal(below("/a", ""), "/a");
  assert.equal(below("/a", "b/c"), "/a/b/c");
  assert.equal(isInside("/", "/a"), true);
  assert.equal(isInside("/a", "/a"), true);
  assert.equal(isInside("/a", "/ab"), false);
  assert.equal(isInside("/a", "/a/b"), true);
  assert.equal(plainRelative("./a//b/./c.ts"), "a/b/c.ts");
  assert.equal(plainRelative("."), "");
});
