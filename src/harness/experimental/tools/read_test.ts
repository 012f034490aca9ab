import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { LINE_CUT } from "./read_lines.ts";
import { readTool } from "./read.ts";
import { CallBench } from "./testing/call_bench.ts";

const read = (bench: CallBench, args: Record<string, unknown>) => bench.call(readTool, args);

/** The lines between the tags. */
function content(output: string): string[] {
  const lines = output.split("\n");
  return lines.slice(lines.findIndex((line) => /^<(content|entries)>$/.test(line)) + 1, -1);
}

Deno.test("read: lines with their numbers, in OpenCode's frame", async () => {
  await using bench = await CallBench.make({ "a.txt": "one\ntwo\nthree\n" });
  const path = join(bench.root, "a.txt");
  assert.equal(
    await read(bench, { filePath: "a.txt" }),
    `<path>${path}</path>\n<type>file</type>\n<content>\n1: one\n2: two\n3: three\n\n(End of file - total 3 lines)\n</content>`,
  );
  assert.equal(await read(bench, { filePath: path }), await read(bench, { filePath: "./a.txt" }));
});

Deno.test("read: every kind of text", async () => {
  const cases: [name: string, file: string | Uint8Array, args: Record<string, unknown>, lines: string[]][] = [
    ["no final newline", "one\ntwo", {}, ["1: one", "2: two", "", "(End of file - total 2 lines)"]],
    ["empty", "", {}, ["", "(End of file - total 0 lines)"]],
    ["one newline", "\n", {}, ["1: ", "", "(End of file - total 1 lines)"]],
    ["CRLF", "one\r\ntwo\r\n", {}, ["1: one", "2: two", "", "(End of file - total 2 lines)"]],
    ["byte order mark", "\uFEFFone\n", {}, ["1: one", "", "(End of file - total 1 lines)"]],
    ["a part", "1\n2\n3\n4\n", { offset: 2, limit: 2 }, [
      "2: 2",
      "3: 3",
      "",
      "(Showing lines 2-3 of 4. Use offset=4 to continue.)",
    ]],
    ["to the end", "1\n2\n3\n", { offset: 3, limit: 5 }, ["3: 3", "", "(End of file - total 3 lines)"]],
    ["offset 0 and limit 0 are the defaults", "1\n2\n", { offset: 0, limit: 0 }, [
      "1: 1",
      "2: 2",
      "",
      "(End of file - total 2 lines)",
    ]],
    ["numbers as text", "1\n2\n", { offset: "2" }, ["2: 2", "", "(End of file - total 2 lines)"]],
    ["bytes that are no UTF-8", new Uint8Array([0x61, 0xff, 0x0a]), {}, [
      "1: a\uFFFD",
      "",
      "(End of file - total 1 lines)",
    ]],
    ["2,000 characters", "x".repeat(2_000), {}, [
      `1: ${"x".repeat(2_000)}`,
      "",
      "(End of file - total 1 lines)",
    ]],
    ["2,001 characters", `${"x".repeat(2_001)}\ny`, {}, [
      `1: ${"x".repeat(2_000)}${LINE_CUT}`,
      "2: y",
      "",
      "(End of file - total 2 lines)",
    ]],
    ["no character is cut in two", `${"x".repeat(1_999)}🌍🌍`, {}, [
      `1: ${"x".repeat(1_999)}${LINE_CUT}`,
      "",
      "(End of file - total 1 lines)",
    ]],
    ["2,000 characters of four bytes", "🌍".repeat(1_000), {}, [
      `1: ${"🌍".repeat(1_000)}`,
      "",
      "(End of file - total 1 lines)",
    ]],
  ];
  await using bench = await CallBench.make();
  for (const [name, file, args, lines] of cases) {
    bench.put("f", file);
    assert.deepEqual(content(await read(bench, { filePath: "f", ...args })), lines, name);
  }
});

Deno.test("read: 2,000 lines and 50 KiB at most, and how to go on", async () => {
  const rows = (count: number, row: string) =>
    Array.from({ length: count }, (_, n) => `${row}${n}`).join("\n");
  await using bench = await CallBench.make({ many: rows(5_000, "row "), wide: rows(1_000, "y".repeat(100)) });
  const many = content(await read(bench, { filePath: "many", limit: 4_000 }));
  assert.equal(many.length, 2_002);
  assert.equal(many.at(-1), "(Showing lines 1-2000 of 5000. Use offset=2001 to continue.)");

  let offset = 1;
  const seen: string[] = [];
  while (offset <= 1_000) {
    const output = await read(bench, { filePath: "wide", offset });
    assert.ok(new TextEncoder().encode(output).length <= 51_200);
    const lines = content(output);
    const next =
      /^\(Output capped at 50 KB\. Showing lines \d+-\d+ of 1000\. Use offset=(\d+) to continue\.\)$/
        .exec(lines.at(-1)!);
    seen.push(...lines.slice(0, -2));
    if (next === null) break;
    offset = Number(next[1]);
  }
  assert.equal(seen.length, 1_000);
  assert.equal(seen.at(-1), `1000: ${"y".repeat(100)}999`);
});

Deno.test("read: what it can't read is said", async () => {
  await using bench = await CallBench.make({
    "a.txt": "1\n2\n3\n",
    "bin.dat": new Uint8Array([1, 2, 0, 3]),
    "controls": new Uint8Array(100).fill(1),
    "sub/x": "",
  });
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ filePath: "a.txt", offset: 4 }, /^Offset 4 is out of range for this file \(3 lines\): /],
    [{ filePath: "sub", offset: 9 }, /^Offset 9 is out of range for this folder \(1 entries\): /],
    [{ filePath: "bin.dat" }, /^Cannot read binary file: .*bin\.dat \(4 bytes\)/],
    [{ filePath: "controls" }, /^Cannot read binary file: /],
    [{ filePath: "A.TX" }, /^File not found: .*\/A\.TX\n\nDid you mean one of these\?\n.*\/a\.txt$/],
    [{ filePath: "zzz" }, /^File not found: .*\/zzz$/],
    [{ filePath: "a.txt/x" }, /^File not found: /],
    [{ filePath: "/etc/hostname" }, /^\/etc\/hostname is outside the project\./],
    [{}, /^The argument "filePath" of read is missing: it must be a string\.$/],
    [
      { filePath: "a.txt", offset: -1 },
      /^The argument "offset" of read must be a whole number of at least 0, not -1\.$/,
    ],
  ];
  for (const [args, message] of cases) {
    await assert.rejects(read(bench, args), (error: Error) => {
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("read: a pipe, a socket and a file without an end neither hang nor fill the memory", async () => {
  await using bench = await CallBench.make();
  const pipe = join(bench.root, "pipe");
  const made = await new Deno.Command("mkfifo", { args: [pipe] }).output();
  assert.ok(made.success);
  await assert.rejects(read(bench, { filePath: "pipe" }), /is a pipe or a device, not a regular file/);
  await using _server = await listening(join(bench.root, "socket"));
  await assert.rejects(read(bench, { filePath: "socket" }), /can't be read: it is no regular file/);

  // A terabyte without a block on the disk.
  using file = await Deno.open(join(bench.root, "huge"), { write: true, createNew: true });
  await file.truncate(2 ** 40);
  await assert.rejects(
    read(bench, { filePath: "huge" }),
    /Cannot read binary file: .* \(1099511627776 bytes\)/,
  );
});

Deno.test("read: a large file of text is not counted to its end, and an abort ends the reading", async () => {
  await using bench = await CallBench.make();
  const path = bench.put("large", `${"x".repeat(99)}\n`.repeat(50_000));
  using file = await Deno.open(path, { write: true });
  await file.truncate(2 ** 40);
  const lines = content(await read(bench, { filePath: "large", limit: 1 }));
  assert.equal(
    lines.at(-1),
    "(Showing lines 1-1 of a file of 1099511627776 bytes. Use offset=2 to continue.)",
  );
  const signal = AbortSignal.timeout(50);
  await assert.rejects(bench.call(readTool, { filePath: "large", offset: 60_000 }, { signal }));
});

Deno.test("read: a folder's entries, and those of the session's spill folder", async () => {
  await using bench = await CallBench.make({ "d/b": "", "d/a/x": "", "d/.h": "" });
  assert.deepEqual(content(await read(bench, { filePath: "d" })), [".h", "a/", "b", "", "(3 entries)"]);
  assert.deepEqual(content(await read(bench, { filePath: "d", limit: 2 })), [
    ".h",
    "a/",
    "",
    "(Showing 2 of 3 entries. Use offset=3 to continue.)",
  ]);
  assert.deepEqual(content(await read(bench, { filePath: "d", offset: 3 })), [
    "b",
    "",
    "(Showing 1 of 3 entries.)",
  ]);
  mkdirSync(bench.spillFolder);
  writeFileSync(join(bench.spillFolder, "out.txt"), "whole\n");
  const path = join(bench.spillFolder, "out.txt");
  assert.deepEqual(content(await read(bench, { filePath: path })), [
    "1: whole",
    "",
    "(End of file - total 1 lines)",
  ]);
});

/** A unix socket that is open for as long as the block lasts. */
async function listening(path: string): Promise<AsyncDisposable> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}
