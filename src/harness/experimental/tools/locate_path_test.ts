import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locatePath, locateWritable } from "./locate_path.ts";
import { CallBench } from "./testing/call_bench.ts";

/** A project with links of every kind. */
async function linked(): Promise<CallBench> {
  const bench = await CallBench.make({
    "a.txt": "a",
    "sub/b.txt": "b",
    ".git/hooks/x": "",
    "pkg/.git/config": "",
  });
  const { root, outside } = bench;
  writeFileSync(join(outside, "secret.txt"), "s");
  mkdirSync(bench.spillFolder);
  writeFileSync(join(bench.spillFolder, "out.txt"), "o");
  mkdirSync(join(outside, "spill", "s2"));
  symlinkSync("a.txt", join(root, "inside"));
  symlinkSync("sub", join(root, "folder"));
  symlinkSync("../secret.txt", join(root, "leaves"));
  symlinkSync("..", join(root, "up"));
  symlinkSync("../new.txt", join(root, "dangling"));
  symlinkSync("folder/../../sub/nowhere/../../../x", join(root, "dangling-far"));
  symlinkSync("sub/to-be", join(root, "dangling-inside"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync(".git/hooks", join(root, "hooks"));
  symlinkSync("../../spill/s2", join(root, "sub", "other-session"));
  return bench;
}

Deno.test("locatePath: what may be read", async () => {
  await using bench = await linked();
  const { root, spillFolder } = bench;
  const cases: [string, string][] = [
    ["a.txt", "a.txt"],
    ["./sub/../a.txt", "a.txt"],
    [join(root, "a.txt"), "a.txt"],
    [".", ""],
    ["inside", "a.txt"],
    ["folder/b.txt", "sub/b.txt"],
    ["new/deep/file", "new/deep/file"],
    ["a.txt/below", "a.txt/below"],
    ["dangling-inside", "sub/to-be"],
    ["dangling-inside/x", "sub/to-be/x"],
    [".git/hooks/x", ".git/hooks/x"],
  ];
  for (const [path, real] of cases) {
    assert.equal((await locatePath(path, bench.context())).real, join(root, real), path);
  }
  const spilled = join(spillFolder, "out.txt");
  assert.equal((await locatePath(spilled, bench.context())).real, spilled);
});

Deno.test("locatePath: what leaves the project is refused, there or not", async () => {
  await using bench = await linked();
  const { root, outside, spillFolder } = bench;
  const cases = [
    "..",
    "../secret.txt",
    "../no-such-file",
    "sub/../../secret.txt",
    "/etc/hostname",
    "/no-such-place",
    `${root}-other/x`,
    join(outside, "secret.txt"),
    "leaves",
    "up",
    "up/secret.txt",
    "up/new-file",
    "folder/../up/secret.txt",
    "sub/other-session",
    "dangling",
    "dangling/x",
    "dangling-far",
    join(spillFolder, "../s2/x"),
    "/proc/self/root/etc/hostname",
  ];
  for (const path of cases) {
    const message =
      `${path} is outside the project. Only files in ${root} and this session's long outputs in ` +
      `${spillFolder} can be used.`;
    await assert.rejects(locatePath(path, bench.context()), { message });
  }
  await assert.rejects(locatePath("loop", bench.context()), /links go round in a circle/);
  await assert.rejects(locatePath("a\0b", bench.context()), /NUL/);
  await assert.rejects(locatePath("  ", bench.context()), /path is empty/);
});

Deno.test("locateWritable: git and the spill folder are not written, also through a link", async () => {
  await using bench = await linked();
  const context = bench.context();
  for (const path of ["a.txt", "sub/new.txt", ".gitignore", "package.json", "harnesses/x", "tools/x.ts"]) {
    assert.equal((await locateWritable(path, context)).real, join(bench.root, path));
  }
  const refused = [
    ".git/hooks/post-commit",
    ".git",
    "hooks/post-commit",
    "pkg/.git/hooks/x",
  ];
  for (const path of refused) await assert.rejects(locateWritable(path, context), /is protected/, path);
  await assert.rejects(locateWritable(join(bench.spillFolder, "out.txt"), context), /is outside the project/);
  await assert.rejects(locateWritable(".", context), /is the project's folder/);
});

Deno.test("locatePath: a project that is reached through a link", async () => {
  await using bench = await CallBench.make({ "a.txt": "a" });
  const link = join(bench.outside, "link");
  symlinkSync("project", link);
  const reach = { root: link, directory: link };
  for (const path of ["a.txt", join(link, "a.txt"), join(bench.root, "a.txt")]) {
    assert.equal((await locatePath(path, reach)).real, join(bench.root, "a.txt"));
  }
  await assert.rejects(locatePath("../secret.txt", reach), /is outside the project/);
});
