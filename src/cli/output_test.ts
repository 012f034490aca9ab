import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { createOutput, OutputClosed, type OutputOptions, type OutputStream } from "./output.ts";

/** A stream in memory; `fail` is thrown by the writes it is asked for. */
class MemoryStream implements OutputStream {
  text = "";
  fail: (() => Error | undefined) | undefined;
  readonly #decoder = new TextDecoder();
  /** Takes at most this many bytes at once. */
  chunk = Infinity;
  readonly #terminal: boolean;

  constructor(terminal = false) {
    this.#terminal = terminal;
  }

  writeSync(bytes: Uint8Array): number {
    const error = this.fail?.();
    if (error !== undefined) throw error;
    const taken = bytes.subarray(0, Math.min(bytes.length, this.chunk));
    this.text += this.#decoder.decode(taken, { stream: true });
    return taken.length;
  }

  isTerminal(): boolean {
    return this.#terminal;
  }
}

function setUp(options: OutputOptions & { variables?: Record<string, string>; terminal?: boolean } = {}) {
  const stdout = new MemoryStream(options.terminal);
  const stderr = new MemoryStream(options.terminal);
  const env = (name: string) => options.variables?.[name];
  return { stdout, stderr, output: createOutput({ stdout, stderr, env, ...options }) };
}

Deno.test("results go to stdout, words to stderr", () => {
  const { output, stdout, stderr } = setUp();
  stdout.chunk = 3;
  output.write("ein Ergebnis: ✓\n");
  output.document({ a: [1] });
  output.note("a word");
  assert.equal(stdout.text, 'ein Ergebnis: ✓\n{\n  "a": [\n    1\n  ]\n}\n');
  assert.equal(stderr.text, "a word\n");
});

Deno.test("a full pipe is waited for", () => {
  const { output, stdout } = setUp();
  let full = 3;
  stdout.fail = () => full-- > 0 ? new Deno.errors.WouldBlock() : undefined;
  output.write("all of it");
  assert.equal(stdout.text, "all of it");
});

Deno.test("a closed pipe ends the command without a word", () => {
  const { output, stdout, stderr } = setUp();
  stdout.fail = () => new Deno.errors.BrokenPipe();
  assert.throws(() => output.write("x"), OutputClosed);
  assert.equal(output.fail(new OutputClosed("stdout is closed.")), 0);
  stderr.fail = stdout.fail;
  output.note("nobody hears it");
  assert.equal(output.fail(new BeeuniError("usage", "x.")), 2);
});

Deno.test("a stdout that can't be written is the user's to mend, and told in words also with --json", () => {
  for (const json of [false, true]) {
    const { output, stdout, stderr } = setUp({ json });
    stdout.fail = () => new Error("No space left on device (os error 28)");
    const error = (() => {
      try {
        output.write("x");
      } catch (error) {
        return error;
      }
    })();
    assert.equal(output.fail(error), 1);
    assert.equal(stderr.text, "beeuni: the output could not be written: No space left on device.\n");
  }
});

Deno.test("colour only on a terminal, without NO_COLOR, CI, a dumb terminal or --json", () => {
  const cases: [boolean, Parameters<typeof setUp>[0]][] = [
    [true, { terminal: true }],
    [true, { terminal: true, variables: { NO_COLOR: "", CI: "" } }],
    [false, { terminal: false }],
    [false, { terminal: true, json: true }],
    [false, { terminal: true, variables: { NO_COLOR: "1" } }],
    [false, { terminal: true, variables: { NO_COLOR: "0" } }],
    [false, { terminal: true, variables: { CI: "true" } }],
    [false, { terminal: true, variables: { TERM: "dumb" } }],
  ];
  for (const [expected, options] of cases) {
    assert.equal(setUp(options).output.color, expected, JSON.stringify(options));
  }
});

Deno.test("an error is a line, a line with what to do, and its exit code", () => {
  const { output, stdout, stderr } = setUp();
  const error = new BeeuniError("no_manifest", "beeuni.yaml not found.", {
    hint: "Create one with `beeuni init`.",
  });
  assert.equal(output.fail(error), 2);
  assert.equal(stdout.text, "");
  assert.equal(stderr.text, "beeuni: beeuni.yaml not found.\n  → Create one with `beeuni init`.\n");
  for (
    const [code, exit] of [["tool_failed", 1], ["timed_out", 124], ["aborted", 130], ["usage", 2]] as const
  ) {
    assert.equal(setUp().output.fail(new BeeuniError(code, "x.")), exit);
  }
});

Deno.test("with --json an error is one document on stdout", () => {
  const { output, stdout, stderr } = setUp({ json: true });
  const error = new BeeuniError("args_invalid", "they do not fit.", {
    hint: "Look.",
    details: { problems: ["a"] },
  });
  assert.equal(output.fail(error), 1);
  assert.deepEqual(JSON.parse(stdout.text), {
    error: "they do not fit.",
    code: "args_invalid",
    problems: ["a"],
  });
  assert.equal(stderr.text, "");
});

Deno.test("a fault of ours shows no insides, a stack only with BEEUNI_DEBUG=1", () => {
  const fault = new TypeError("x is undefined");
  const plain = setUp();
  assert.equal(plain.output.fail(fault), 1);
  assert.equal(
    plain.stderr.text,
    "beeuni: something went wrong inside beeuni.\n  → Run it again with BEEUNI_DEBUG=1 and report what it prints.\n",
  );
  const debug = setUp({ variables: { BEEUNI_DEBUG: "1" } });
  debug.output.fail(fault);
  assert.match(debug.stderr.text, /caused by: TypeError: x is undefined\n {4}at /);
  const json = setUp({ json: true, variables: { BEEUNI_DEBUG: "1" } });
  json.output.fail(fault);
  assert.equal(JSON.parse(json.stdout.text).code, "internal");
  assert.match(json.stderr.text, /x is undefined/);
});

Deno.test("what a tool says can't drive the terminal", () => {
  const { output, stderr } = setUp();
  output.fail(new BeeuniError("tool_failed", "one\x1b[2J\rtwo\nthree"));
  assert.equal(stderr.text, "beeuni: one\\x1b[2J\\rtwo\nthree\n");
});
