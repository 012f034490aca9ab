import assert from "node:assert/strict";
import { mustStay, removalTarget } from "./removal.ts";

// Nothing is removed here: the decision is a function of two paths.

Deno.test("rm leaves the root, the working directory and the folders around it", () => {
  const cases: [string, boolean][] = [
    ["/", true],
    ["/tmp", true],
    ["/tmp/work", true],
    ["/tmp/work/project", true],
    ["/tmp/work/project/file", false],
    ["/tmp/work/project2", false],
    ["/tmp/wor", false],
    ["/tmp/other", false],
  ];
  for (const [path, stays] of cases) assert.equal(mustStay(path, "/tmp/work/project"), stays, path);
  assert.equal(mustStay("/", "/"), true);
  assert.equal(mustStay("/etc", "/"), false);
});

Deno.test({
  name: "a path to remove is resolved before it is judged",
  permissions: { read: true, write: [Deno.env.get("TMPDIR") ?? "/tmp"], env: true, sys: true },
  fn() {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bun-removal-" }));
    try {
      Deno.mkdirSync(`${folder}/a/b`, { recursive: true });
      const cases: [string, string][] = [
        ["/", "/"],
        ["//", "/"],
        ["/..", "/"],
        ["/a/../..", "/"],
        ["../".repeat(40), "/"],
        ["../".repeat(40) + "..", "/"],
        [".", folder],
        ["..", folder.slice(0, folder.lastIndexOf("/"))],
        ["a/..", folder],
        ["a/b/../..", folder],
        ["./a/./b/", `${folder}/a/b`],
        ["a//b", `${folder}/a/b`],
        ["", folder],
      ];
      for (const [path, target] of cases) assert.equal(removalTarget(path, folder), target, path);
      assert.equal(mustStay(removalTarget("../".repeat(40), folder), folder), true);
      assert.throws(() => removalTarget("nowhere/file", folder), Deno.errors.NotFound);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});
