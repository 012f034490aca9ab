import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { globTool } from "./glob.ts";
import { CallBench } from "./testing/call_bench.ts";

const glob = (bench: CallBench, args: Record<string, unknown>) => bench.call(globTool, args);

Deno.test("glob: absolute paths of the files that fit", async () => {
  await using bench = await CallBench.make({
    "a.ts": "",
    "src/b.ts": "",
    "src/c.js": "",
    "src/.hidden.ts": "",
    ".github/x.yml": "",
    ".git/x.ts": "",
    "out/d.ts": "",
    ".gitignore": "out/\n",
  });
  symlinkSync(bench.outside, join(bench.root, "src", "up"));
  const cases: [Record<string, unknown>, string[]][] = [
    [{ pattern: "*.ts" }, ["a.ts", "src/b.ts"]],
    [{ pattern: "**/*.{ts,js}" }, ["a.ts", "src/b.ts", "src/c.js"]],
    [{ pattern: "/*.ts" }, ["a.ts"]],
    [{ pattern: "*.ts", path: "src" }, ["src/b.ts"]],
    [{ pattern: "*.ts", path: join(bench.root, "src") }, ["src/b.ts"]],
    [{ pattern: join(bench.root, "src/*.ts") }, ["src/b.ts"]],
    [{ pattern: "./src/*.ts" }, ["src/b.ts"]],
    [{ pattern: ".github/**" }, [".github/x.yml"]],
    [{ pattern: "*.ts", path: "out" }, ["out/d.ts"]],
    [{ pattern: "!*.ts" }, ["src/c.js"]],
  ];
  for (const [args, files] of cases) {
    assert.equal(
      await glob(bench, args),
      files.map((file) => join(bench.root, file)).join("\n"),
      JSON.stringify(args),
    );
  }
  assert.equal(await glob(bench, { pattern: "*.rs" }), "No files found");
  assert.equal(await glob(bench, { pattern: "[" }), "No files found");
});

Deno.test("glob: 100 files at most", async () => {
  const names = Array.from({ length: 101 }, (_, n) => `f${String(n).padStart(3, "0")}`);
  await using bench = await CallBench.make(Object.fromEntries(names.map((name) => [name, ""])));
  const lines = (await glob(bench, { pattern: "f*" })).split("\n");
  assert.equal(lines.length, 102);
  assert.equal(lines[99], join(bench.root, "f099"));
  assert.match(lines[101]!, /^\(Only the first 100 files\./);
  assert.equal((await glob(bench, { pattern: "f0*" })).split("\n").length, 100);
});

Deno.test("glob: what is refused", async () => {
  await using bench = await CallBench.make({ "a.ts": "" });
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ pattern: "*", path: "a.ts" }, /glob path must be a directory: /],
    [{ pattern: "*", path: "no" }, /glob path does not exist: /],
    [{ pattern: "*", path: ".." }, /is outside the project/],
    [{ pattern: "*", path: "/" }, /is outside the project/],
    [{ pattern: "*", path: bench.spillFolder }, /is outside the project/],
    [{}, /"pattern" of glob is missing/],
    [{ pattern: "a".repeat(10_001) }, /too long/],
  ];
  for (const [args, message] of cases) await assert.rejects(glob(bench, args), message);
});
