import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { editTool } from "./edit.ts";
import { CallBench } from "./testing/call_bench.ts";

const edit = (bench: CallBench, filePath: string, oldString: string, newString: string, more = {}) =>
  bench.call(editTool, { filePath, oldString, newString, ...more });

Deno.test("edit: line ends, byte order mark and mode stay", async () => {
  await using bench = await CallBench.make();
  const cases: [before: string, old: string, put: string, after: string][] = [
    ["a\nb\n", "b", "$&", "a\n$&\n"],
    ["a\r\nb\r\n", "a\nb", "x\ny", "x\r\ny\r\n"],
    ["\uFEFFa\n", "a", "b", "\uFEFFb\n"],
    ["\uFEFFa\r\nb", "\na", "x", ""],
  ];
  for (const [before, old, put, after] of cases) {
    bench.put("f", before, 0o750);
    if (after === "") {
      await assert.rejects(edit(bench, "f", old, put), /^Error: Could not find oldString/);
      assert.equal(bench.text("f"), before);
      continue;
    }
    assert.equal(await edit(bench, "f", old, put), "Edit applied successfully.");
    assert.equal(bench.text("f"), after);
    assert.equal(bench.mode("f"), 0o750);
  }
  bench.put("g", "a a a");
  assert.equal(
    await edit(bench, "g", "a", "b", { replaceAll: true }),
    "Edit applied successfully (3 places).",
  );
  assert.equal(bench.text("g"), "b b b");
});

Deno.test("edit: an empty oldString makes a file", async () => {
  await using bench = await CallBench.make({ "a.txt": "a" });
  assert.equal(await edit(bench, "new/b.txt", "", "text\n"), "Edit applied successfully (new file).");
  assert.equal(bench.text("new/b.txt"), "text\n");
  await assert.rejects(edit(bench, "a.txt", "", "x"), /oldString is empty, but .*a\.txt exists/);
});

Deno.test("edit: what is refused changes nothing", async () => {
  await using bench = await CallBench.make({
    "a.txt": "a a",
    "sub/x": "",
    "latin1.txt": new Uint8Array([0x61, 0xe9, 0x62]),
    "nul.txt": "a\0b",
    "package.json": "{}",
    "large.txt": "a".repeat(8 * 1024 * 1024 + 1),
  });
  symlinkSync("../outside.txt", join(bench.root, "leaves"));
  const cases: [string, string, string, RegExp][] = [
    ["a.txt", "a", "a", /^No changes to apply: oldString and newString are identical\.$/],
    ["a.txt", "z", "y", /^Could not find oldString/],
    ["a.txt", "a", "b", /^Found multiple matches/],
    ["missing.txt", "a", "b", /^File .*missing\.txt not found/],
    ["sub", "a", "b", /^Path is a directory, not a file: /],
    ["latin1.txt", "a", "b", /can't be edited: it is not UTF-8 text/],
    ["nul.txt", "a", "b", /can't be edited: it is not UTF-8 text/],
    ["large.txt", "a", "b", /is too large to edit \(8388609 bytes\)/],
    [".git/config", "{}", "[]", /\.git is protected/],
    ["leaves", "a", "b", /is outside the project/],
    ["../x", "a", "b", /is outside the project/],
  ];
  for (const [path, old, put, message] of cases) {
    await assert.rejects(edit(bench, path, old, put), (error: Error) => {
      assert.match(error.message, message);
      return true;
    });
  }
  assert.equal(bench.text("a.txt"), "a a");
  assert.equal(bench.text("package.json"), "{}");
});

Deno.test("edit: many edits of one file at once are all there", async () => {
  const names = Array.from({ length: 40 }, (_, n) => `<${n}>`);
  await using bench = await CallBench.make({ f: names.join("\n") });
  await Promise.all(names.map((name) => edit(bench, "f", name, `done${name}`)));
  assert.equal(bench.text("f"), names.map((name) => `done${name}`).join("\n"));
  assert.deepEqual(await bench.names(), ["f"]);
});
