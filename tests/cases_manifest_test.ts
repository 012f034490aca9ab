import assert from "node:assert/strict";
import { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { beeuni } from "./support/run.ts";

// Reading manifests that broke others (cases M2 to M4), through the command line.

const MODULE = `export default {
  description: "A tool.",
  parameters: { type: "object", properties: {} },
  execute: () => "",
}
`;

interface Issue {
  severity: string;
  code: string;
  path: string;
  message: string;
  file: string;
  line: number;
  column: number;
}

/** Validates a manifest given as text or bytes. */
async function issuesOf(manifest: string | Uint8Array): Promise<{ code: number; issues: Issue[] }> {
  using project = new Project({ files: { "beeuni.yaml": manifest, "tools/x.ts": MODULE } });
  const { code, stdout, stderr } = await beeuni(project, ["validate", "--json"]);
  assert.equal(stderr, "");
  const { issues } = JSON.parse(stdout) as { issues: Issue[] };
  for (const { message } of issues) assertReadable(message);
  return { code, issues };
}

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    parts.flatMap((part) => typeof part === "string" ? [...new TextEncoder().encode(part)] : part),
  );

/** Manifests that can't be read, and the line of the first error. */
const UNREADABLE: { name: string; manifest: string | Uint8Array; line?: number }[] = [
  { name: "a syntax error", manifest: "tools:\n  x: [tools/x.ts\n" },
  { name: "a tab indent", manifest: "tools:\n\tx: tools/x.ts\n", line: 2 },
  {
    name: "a duplicate key",
    manifest: "tools:\n  x: tools/x.ts\n  y: tools/x.ts\n  x: tools/x.ts\n",
    line: 4,
  },
  {
    name: "a duplicate top-level key",
    manifest: "tools:\n  x: tools/x.ts\nagents: {}\ntools: {}\n",
    line: 4,
  },
  { name: "two documents", manifest: "tools:\n  x: tools/x.ts\n---\ntools: {}\n", line: 3 },
  {
    name: "an alias bomb",
    manifest: "a: &a [x, x, x, x, x, x, x, x, x]\n" +
      Array.from({ length: 12 }, (_, n) => {
        const [from, to] = ["abcdefghijklm"[n], "bcdefghijklmn"[n]];
        return `${to}: &${to} [${Array(9).fill(`*${from}`).join(", ")}]\n`;
      }).join("") + "tools: { x: tools/x.ts }\n",
  },
  { name: "an alias of nothing", manifest: "tools: *nowhere\n", line: 1 },
  { name: "a top level that is a list", manifest: "- tools\n", line: 1 },
  { name: "a top level that is text", manifest: "tools\n", line: 1 },
  { name: "10,000 levels of flow nesting", manifest: `tools: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n` },
  { name: "10,000 levels of block nesting", manifest: `tools:\n${"- ".repeat(10_000)}x\n` },
  { name: "a 20 MB file", manifest: `tools:\n  x: tools/x.ts\n${"# filler\n".repeat(2_400_000)}` },
  { name: "invalid UTF-8", manifest: bytes("tools:\n  x: ", [0xff, 0xfe], "\n"), line: 2 },
  { name: "UTF-8 cut in a character", manifest: bytes("tools:\n  x: tools/x.ts\n# ", [0xf0, 0x9f]), line: 3 },
  { name: "NUL", manifest: "tools:\n  x: tools/x.ts\n# \0\n", line: 3 },
  {
    name: "UTF-16",
    manifest: bytes([0xff, 0xfe], [..."tools: {}\n"].map((c) => [c.charCodeAt(0), 0]).flat()),
  },
];

for (const { name, manifest, line } of UNREADABLE) {
  Deno.test(`manifest: ${name} is an error with a place`, async () => {
    const { code, issues } = await issuesOf(manifest);
    assert.equal(code, 1);
    const error = issues.find(({ severity }) => severity === "error");
    assert.ok(error !== undefined);
    assert.equal(error.file, "beeuni.yaml");
    assert.ok(error.line >= 1 && error.column >= 1);
    if (line !== undefined) assert.equal(error.line, line, error.message);
  });
}

Deno.test("manifest: a duplicate key names both lines", async () => {
  const { issues } = await issuesOf("tools:\n  x: tools/x.ts\n  y: tools/x.ts\n  x: tools/x.ts\n");
  const text = JSON.stringify(issues);
  assert.match(text, /\b2\b/);
  assert.match(text, /\b4\b/);
});

/** Keys under `tools:` that other readers turn into another type. The name rule decides about the name as written. */
const KEYS: [written: string, valid: boolean][] = [
  ["1", false],
  ["0x10", false],
  ["null", true],
  ["~", false],
  ["no", true],
  ["on", true],
  ["yes", true],
  ["true", true],
  ["1e3", false],
  [".inf", false],
  ["2026-12-01", false],
  ["__proto__", false],
  ["constructor", true],
  ["tostring", true],
  ["hasOwnProperty", false],
  ['"quoted"', true],
  ["'1'", false],
];

Deno.test("manifest: keys keep the name as written (M3)", async () => {
  for (const [written, valid] of KEYS) {
    using project = new Project({
      files: { "beeuni.yaml": `tools:\n  ${written}: tools/x.ts\n`, "tools/x.ts": MODULE },
    });
    const name = written.replace(/^(["'])(.*)\1$/, "$2");
    const { stdout } = await beeuni(project, ["tools", "ls", "--json"]);
    const listed = JSON.parse(stdout);
    if (valid) {
      assert.deepEqual(listed.tools, [{ name, kind: "project", source: "tools/x.ts" }], written);
    } else {
      assert.deepEqual(listed.tools, [], written);
      assert.deepEqual(listed.broken.map((entry: { name: string }) => entry.name), [name], written);
    }
  }
});

/** `tools:` in every form that has no child, or none of its own. */
const EMPTY: [name: string, manifest: string, tools: string[]][] = [
  ["no value", "tools:\n", []],
  ["an empty map", "tools: {}\n", []],
  ["only comments", "tools:\n  # x: tools/x.ts\n", []],
  ["null", "tools: null\n", []],
  ["no value, at the end, without a newline", "tools:", []],
  ["an alias", "project: &t\n  x: tools/x.ts\ntools: *t\n", ["x"]],
];

Deno.test("manifest: an empty tools key counts (M2)", async () => {
  for (const [name, manifest, tools] of EMPTY) {
    using project = new Project({ files: { "beeuni.yaml": manifest, "tools/x.ts": MODULE } });
    const { stdout, stderr } = await beeuni(project, ["tools", "ls", "--json"]);
    const listed = JSON.parse(stdout);
    assert.equal(stderr, "", name);
    assert.equal(listed.tools_key, true, name);
    assert.deepEqual(listed.tools.map((tool: { name: string }) => tool.name), tools, name);
    assert.equal(listed.removed.length, 5, name);
  }
});

Deno.test("manifest: BOM and CRLF change neither the result nor the line numbers", async () => {
  const lf = "tools:\n  x: tools/x.ts\n  web_search: beeuni:image_search\n  gone: tools/gone.ts\n";
  const plain = await issuesOf(lf);
  assert.equal(plain.issues.filter(({ severity }) => severity === "error").length, 2);
  for (const other of ["\ufeff" + lf, lf.replaceAll("\n", "\r\n"), "\ufeff" + lf.replaceAll("\n", "\r\n")]) {
    assert.deepEqual(await issuesOf(other), plain);
  }
});
