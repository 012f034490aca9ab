import assert from "node:assert/strict";
import { isInside, isInsideAny, outermost } from "./path_inside.ts";

Deno.test("isInside: by whole path parts", () => {
  const cases: [path: string, folder: string, expected: boolean][] = [
    ["/a", "/a", true],
    ["/a/b", "/a", true],
    ["/ab", "/a", false],
    ["/a", "/a/b", false],
    ["/a", "/", true],
    ["/", "/", true],
    ["/", "/a", false],
  ];
  for (const [path, folder, expected] of cases) {
    assert.equal(isInside(path, folder), expected, `${path} in ${folder}`);
  }
  assert.equal(isInsideAny("/b/c", ["/a", "/b"]), true);
  assert.equal(isInsideAny("/c", ["/a", "/b"]), false);
  assert.equal(isInsideAny("/c", []), false);
});

Deno.test("outermost: without duplicates and without what lies in another", () => {
  assert.deepEqual(outermost(["/a/b", "/a", "/a", "/ab", "/c/d/e", "/c/d"]), ["/a", "/ab", "/c/d"]);
  assert.deepEqual(outermost(["/", "/a"]), ["/"]);
  assert.deepEqual(outermost(["a/b", "a", "c"]), ["a", "c"]);
  assert.deepEqual(outermost([]), []);
});
