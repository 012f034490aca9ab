import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { Project } from "./support/project.ts";

// Output bounding (specification 2.5, case R4).

const MAX_BYTES = 51_200;
const MAX_LINES = 2_000;

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/results" });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };
const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;
/** Lines as the specification counts them: a final newline starts no line. */
const linesOf = (text: string) => text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;

const WHOLE: Record<string, string> = {
  "exactly 51,200 bytes": "x".repeat(MAX_BYTES),
  "51,200 bytes of two-byte characters": "é".repeat(MAX_BYTES / 2),
  "51,200 bytes of four-byte characters": "🌍".repeat(MAX_BYTES / 4),
  "exactly 2,000 lines": "line\n".repeat(MAX_LINES - 1) + "line",
  "exactly 2,000 lines and a final newline": "line\n".repeat(MAX_LINES),
  "2,000 lines of CRLF": "line\r\n".repeat(MAX_LINES),
  "2,000 newlines": "\n".repeat(MAX_LINES),
  "a carriage return is no line": "x\r".repeat(5_000),
};

for (const [name, text] of Object.entries(WHOLE)) {
  Deno.test({
    name: `bounding: ${name} stays whole`,
    ...LENIENT,
    async fn() {
      const { status, body } = await daemon.call("says", { args: { text } });
      assert.equal(status, 200);
      assert.equal(body.output, text);
      for (const key of ["truncated", "bytes", "lines", "file"]) assert.ok(!(key in body), key);
    },
  });
}

const CUT: Record<string, string> = {
  "51,201 bytes": "x".repeat(MAX_BYTES + 1),
  "2,001 lines": "line\n".repeat(MAX_LINES) + "line",
  "2,001 lines of CRLF": "line\r\n".repeat(MAX_LINES + 1),
  "60,000 newlines": "\n".repeat(60_000),
  "a single line of 200 KB": "x".repeat(200_000),
  "emoji on every possible cut": "a🌍b🌎c".repeat(10_000),
  "emoji, one byte later": "x" + "🌍".repeat(20_000),
  "emoji, two bytes later": "xy" + "🌍".repeat(20_000),
  "emoji, three bytes later": "xyz" + "🌍".repeat(20_000),
  "long lines": ("y".repeat(10_000) + "\n").repeat(20),
  "lines and CRLF at the cut": "abcdef\r\n".repeat(10_000),
  "a character that stands for a broken one": "\ufffd".repeat(30_000),
};

for (const [name, text] of Object.entries(CUT)) {
  Deno.test({
    name: `bounding: ${name} are cut`,
    ...LENIENT,
    async fn() {
      const { status, body } = await daemon.call("says", { args: { text }, session: "s.1" });
      assert.equal(status, 200);
      assert.equal(body.truncated, true);
      assert.deepEqual([body.bytes, body.lines], [bytesOf(text), linesOf(text)]);
      const note = `[Output truncated: ${body.bytes} bytes, ${body.lines} lines. ` +
        `The whole output is in ${body.file}; read it in parts or search it.]`;
      assert.ok(body.output.endsWith(`\n\n${note}`), body.output.slice(-300));
      const head = body.output.slice(0, -note.length - 2);
      assert.ok(
        text.startsWith(head) || text.startsWith(head.replace(/\n$/, "")),
        "the head is the beginning",
      );
      assert.notEqual(head, "");
      assert.ok(bytesOf(body.output) <= MAX_BYTES, `${bytesOf(body.output)} bytes`);
      assert.ok(linesOf(body.output) <= MAX_LINES, `${linesOf(body.output)} lines`);
      // The head is as long as the bounds allow, within one line or one character and the note.
      assert.ok(
        bytesOf(body.output) > MAX_BYTES - 11_000 || linesOf(body.output) > MAX_LINES - 10,
        `only ${bytesOf(body.output)} bytes and ${linesOf(body.output)} lines`,
      );
      if (!text.includes("\ufffd")) assert.ok(!body.output.includes("\ufffd"));
      assert.equal(Deno.readTextFileSync(body.file), text);
      const folder = join(project.tmp, "beeuni-tool-output", "s.1");
      assert.equal(dirname(body.file), folder);
      assert.match(body.file, /\/says-[^/]+-[^/]+\.txt$/);
      assert.equal((Deno.statSync(body.file).mode ?? 0) & 0o777, 0o600);
      for (const path of [folder, dirname(folder)]) {
        assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o700, path);
      }
    },
  });
}

Deno.test({
  name: "bounding: JSON goes to a .json file, and the note says that the part above is cut JSON",
  ...LENIENT,
  async fn() {
    const { body } = await daemon.call("says", { args: { text: "x".repeat(100_000), as: "json" } });
    assert.match(body.file, /beeuni-tool-output\/no-session\/says-[^/]+\.json$/);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(body.file)), { text: "x".repeat(100_000) });
    assert.match(body.output, /\n\n\[Output truncated: \d+ bytes, 3 lines\. [^\n]*cut JSON[^\n]*\]$/);
  },
});

Deno.test({
  name: "bounding: an error message is bounded the same way",
  ...LENIENT,
  async fn() {
    const text = "what failed ".repeat(20_000);
    const { status, body } = await daemon.call("says", { args: { text, as: "error" } });
    assert.deepEqual([status, body.code], [422, "tool_failed"]);
    assert.ok(bytesOf(body.error) <= MAX_BYTES);
    assert.ok(body.error.startsWith("what failed what failed "));
    assert.match(body.error, /\n\n\[Output truncated: 240000 bytes, 1 lines\. .*\]$/);
  },
});

Deno.test({
  name: "bounding: 100 MB come whole in the file, over 256 MiB is an error",
  ...LENIENT,
  async fn() {
    const line = "x".repeat(99) + "\n";
    const { status, body } = await daemon.call("says", { args: { text: line, repeat: 1_000_000 } });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 500));
    assert.deepEqual([body.bytes, body.lines], [100_000_000, 1_000_000]);
    assert.equal(Deno.statSync(body.file).size, 100_000_000);
    const over = await daemon.call("says", { args: { text: line, repeat: 2_684_355 } });
    assert.deepEqual([over.status, over.body.code], [422, "tool_failed"]);
    assert.match(over.body.error, /256 MiB/);
  },
});

Deno.test({
  name: "bounding: every session has a folder of its own, two calls never share a file",
  ...LENIENT,
  async fn() {
    const text = "x\n".repeat(3_000);
    const calls = ["a", "a", "b", "A"].map((session) => daemon.call("says", { args: { text }, session }));
    const files = (await Promise.all(calls)).map(({ body }) => body.file);
    assert.equal(new Set(files).size, 4);
    assert.deepEqual(
      files.map((file) => dirname(file)),
      ["a", "a", "b", "A"].map((session) => join(project.tmp, "beeuni-tool-output", session)),
    );
  },
});

Deno.test({
  name: "bounding: files older than 7 days are swept at start, others stay",
  ...LENIENT,
  async fn() {
    using other = new Project({ fixture: "cases/results" });
    const folder = join(other.tmp, "beeuni-tool-output", "s");
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    Deno.chmodSync(join(other.tmp, "beeuni-tool-output"), 0o700);
    const day = 24 * 3600;
    const now = Date.now() / 1000;
    for (const [name, age] of [["old.txt", 8 * day], ["new.txt", 6 * day]] as const) {
      Deno.writeTextFileSync(join(folder, name), "x");
      Deno.utimeSync(join(folder, name), now - age, now - age);
    }
    await using _ = await startDaemon(other);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["new.txt"]);
  },
});
