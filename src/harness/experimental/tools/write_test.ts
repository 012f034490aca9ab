import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { CallBench } from "./testing/call_bench.ts";
import { writeTool } from "./write.ts";

const write = (bench: CallBench, filePath: string, content: string, signal?: AbortSignal) =>
  bench.call(writeTool, { filePath, content }, signal === undefined ? {} : { signal });

Deno.test("write: new files, folders on the way, whole replacement", async () => {
  await using bench = await CallBench.make({ "a.txt": "before, and longer\n" });
  assert.equal(await write(bench, "a.txt", "after"), "Wrote file successfully.");
  assert.equal(bench.text("a.txt"), "after");
  assert.equal(await write(bench, "new/deep/b.txt", "b"), "Wrote file successfully (new file).");
  assert.equal(bench.text("new/deep/b.txt"), "b");
  assert.equal(await write(bench, "empty", ""), "Wrote file successfully (new file).");
  assert.equal(bench.text("empty"), "");
  const name = "n".repeat(255);
  assert.equal(await write(bench, name, "long name"), "Wrote file successfully (new file).");
  assert.deepEqual((await bench.names()).filter((each) => each.endsWith(".tmp")), []);
});

Deno.test("write: mode and byte order mark stay", async () => {
  await using bench = await CallBench.make();
  for (const mode of [0o755, 0o600, 0o666]) {
    bench.put("f", "x", mode);
    await write(bench, "f", "y");
    assert.equal(bench.mode("f"), mode);
  }
  bench.put("bom.txt", "\uFEFFold");
  await write(bench, "bom.txt", "new");
  assert.equal(bench.text("bom.txt"), "\uFEFFnew");
  await write(bench, "bom.txt", "\uFEFFnewer");
  assert.equal(bench.text("bom.txt"), "\uFEFFnewer");
});

Deno.test("write: what it may not write, and nothing is left of it", async () => {
  await using bench = await CallBench.make({ "sub/x": "", "a.txt": "a" });
  symlinkSync("../outside.txt", join(bench.root, "leaves"));
  symlinkSync("..", join(bench.root, "up"));
  const cases: [string, RegExp][] = [
    ["sub", /^Path is a directory, not a file: /],
    ["../outside.txt", /is outside the project/],
    [join(bench.outside, "outside.txt"), /is outside the project/],
    ["leaves", /is outside the project/],
    ["up/outside.txt", /is outside the project/],
    [".git/hooks/post-checkout", /^\.git\/hooks\/post-checkout can't be written: \.git is protected/],
    ["a.txt/b", /could not be written: /],
  ];
  for (const [path, message] of cases) {
    await assert.rejects(write(bench, path, "x"), (error: Error) => {
      assert.match(error.message, message);
      return true;
    });
  }
  await assert.rejects(bench.call(writeTool, { filePath: "x" }), /"content" of write is missing/);
  await assert.rejects(write(bench, "a.txt", "x", AbortSignal.abort()));
  assert.deepEqual(await bench.names(), ["a.txt", "leaves", "sub", "up"]);
  assert.equal(bench.text("a.txt"), "a");
});

Deno.test("write: a link within the project stays a link, and its file is written", async () => {
  await using bench = await CallBench.make({ "real.txt": "x" });
  symlinkSync("real.txt", join(bench.root, "link"));
  await write(bench, "link", "through");
  assert.equal(bench.text("real.txt"), "through");
  assert.ok((await Deno.lstat(join(bench.root, "link"))).isSymlink);
});

Deno.test("write: a reader sees the old file or the new one, never a part", async () => {
  const size = 200_000;
  await using bench = await CallBench.make({ f: "a".repeat(size) });
  const seen = new Set<string>();
  const writes = (async () => {
    for (let round = 0; round < 30; round++) await write(bench, "f", (round % 2 ? "a" : "b").repeat(size));
  })();
  let done = false;
  void writes.finally(() => done = true);
  while (!done) {
    const text = readFileSync(join(bench.root, "f"), "utf8");
    seen.add(`${text[0]} ${text.length} ${new Set(text).size}`);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await writes;
  for (const each of seen) assert.match(each, /^[ab] 200000 1$/);
});

Deno.test({
  name: "write: a file that is read-only stays as it is",
  ignore: Deno.uid() === 0,
  fn: async () => {
    await using bench = await CallBench.make();
    bench.put("f", "x", 0o444);
    await assert.rejects(write(bench, "f", "y"), /f could not be written: permission is denied/);
    assert.equal(bench.text("f"), "x");
  },
});
