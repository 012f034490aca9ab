import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grepTool } from "./grep.ts";
import { runSearch } from "./run_search.ts";
import { CallBench } from "./testing/call_bench.ts";

const grep = (bench: CallBench, args: Record<string, unknown>) => bench.call(grepTool, args);

Deno.test("grep: lines by file, as OpenCode lists them", async () => {
  await using bench = await CallBench.make({
    "a.ts": "const a = 1\nlet b\nconst c = 2\n",
    "sub/b.js": "const d = 3\n",
    ".hidden/h": "const h = 4\n",
    "out/x": "const x = 5\n",
    ".gitignore": "out\n",
    ".git/c": "const g = 6\n",
    "bin": new Uint8Array([0x63, 0, 0x63]),
  });
  writeFileSync(join(bench.outside, "secret"), "const s = 7\n");
  symlinkSync(join(bench.outside, "secret"), join(bench.root, "leaves"));
  symlinkSync(bench.outside, join(bench.root, "up"));
  const at = (path: string) => join(bench.root, path);
  assert.equal(
    await grep(bench, { pattern: "const" }),
    `Found 4 matches\n${at(".hidden/h")}:\n  Line 1: const h = 4\n\n${at("a.ts")}:\n  Line 1: const a = 1\n` +
      `  Line 3: const c = 2\n\n${at("sub/b.js")}:\n  Line 1: const d = 3`,
  );
  const one = (path: string, line: string) => `Found 1 match\n${at(path)}:\n  Line ${line}`;
  const cases: [Record<string, unknown>, string][] = [
    [{ pattern: "const", include: "*.js" }, one("sub/b.js", "1: const d = 3")],
    [{ pattern: "const", include: "*.{js,rs}" }, one("sub/b.js", "1: const d = 3")],
    [{ pattern: "const", include: "sub/**" }, one("sub/b.js", "1: const d = 3")],
    [{ pattern: "LET|(?!)", include: "" }, "No files found"],
    [{ pattern: "(?i)LET" }, one("a.ts", "2: let b")],
    [{ pattern: "const", path: "sub" }, one("sub/b.js", "1: const d = 3")],
    [{ pattern: "c = ", path: "a.ts" }, one("a.ts", "3: const c = 2")],
    [{ pattern: "const", path: "out" }, one("out/x", "1: const x = 5")],
    [{ pattern: "const", path: "a.ts", include: "*.js" }, "No files found"],
    [{ pattern: "no such thing" }, "No files found"],
  ];
  for (const [args, output] of cases) assert.equal(await grep(bench, args), output, JSON.stringify(args));
});

Deno.test("grep: the session's spill folder can be searched, another's can't", async () => {
  await using bench = await CallBench.make({ "a.txt": "needle\n" });
  mkdirSync(bench.spillFolder);
  mkdirSync(join(bench.outside, "spill/s2"));
  const file = join(bench.spillFolder, "bash-1.txt");
  writeFileSync(file, "hay\nneedle\n");
  writeFileSync(join(bench.outside, "spill/s2/x.txt"), "needle\n");
  for (const path of [file, bench.spillFolder]) {
    assert.equal(await grep(bench, { pattern: "needle", path }), `Found 1 match\n${file}:\n  Line 2: needle`);
  }
  await assert.rejects(
    grep(bench, { pattern: "needle", path: join(bench.outside, "spill/s2") }),
    /is outside the project/,
  );
});

Deno.test("grep: 100 lines at most, and long output goes to a file", async () => {
  await using bench = await CallBench.make({
    "many": "needle\n".repeat(150),
    "wide": `needle ${"y".repeat(3_000)}\n`.repeat(60),
  });
  const many = await grep(bench, { pattern: "needle", path: "many" });
  assert.match(many, /^Found 100 matches \(more matches available\)\n/);
  assert.match(many, /\n\n\(There are more\. /);
  const { output, file } = await grepTool.execute({ pattern: "needle", path: "wide" }, bench.context());
  assert.ok(new TextEncoder().encode(output).length <= 51_200);
  assert.ok(file?.startsWith(`${bench.spillFolder}/grep-`));
  assert.match(
    output,
    /\[Output truncated: \d+ bytes, 62 lines\. The whole output is in .*\.txt; read it in parts/,
  );
});

Deno.test("grep: patterns that take for ever end, and the daemon's loop goes on meanwhile", async () => {
  await using bench = await CallBench.make({ "a.txt": `${"a".repeat(60)}b\n` });
  // V8's engine without backtracking takes over.
  for (const pattern of ["^(a+)+$", "(a|a)*c", "(a*)*c"]) {
    assert.equal(await grep(bench, { pattern }), "No files found");
  }

  // It can't for these: the process is ended.
  const readable = [bench.root];
  for (const pattern of ["^(a+)+\\1$", "(?i)^(a+)+$"]) {
    let beats = 0;
    const pulse = setInterval(() => beats++, 20);
    const search = runSearch({ kind: "grep", root: bench.root, start: bench.root, pattern, limit: 1 }, {
      readable,
      signal: new AbortController().signal,
      timeoutMs: 1_000,
    });
    await assert.rejects(search, /^Error: The search was ended after 1 s\. Search in a smaller folder/);
    clearInterval(pulse);
    assert.ok(beats > 5, `${beats} beats`);
  }
  const signal = AbortSignal.timeout(300);
  await assert.rejects(bench.call(grepTool, { pattern: "^(a+)+\\1$" }, { signal }));
});

Deno.test("grep: what is refused", async () => {
  await using bench = await CallBench.make({ "a.txt": "x" });
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ pattern: "(" }, /The pattern is no regular expression: .*Unterminated group/],
    [{ pattern: "" }, /pattern is required/],
    [{ pattern: "x", path: "no" }, /grep path does not exist: /],
    [{ pattern: "x", path: "../.." }, /is outside the project/],
    [{ pattern: "x".repeat(10_001) }, /too long/],
    [{ pattern: 7 }, /"pattern" of grep must be a string, not 7/],
  ];
  for (const [args, message] of cases) await assert.rejects(grep(bench, args), message);
});

Deno.test("grep: a project whose path has a comma", async () => {
  await using bench = await CallBench.make({ "with, comma/a.txt": "needle\n" });
  const root = join(bench.root, "with, comma");
  const output = await bench.call(grepTool, { pattern: "needle" }, { root, directory: root });
  assert.equal(output, `Found 1 match\n${join(root, "a.txt")}:\n  Line 1: needle`);
});
