import assert from "node:assert/strict";
import { loadReason } from "./load_reason.ts";

const REFUSAL = "tools/link.ts leaves the project";
const context = {
  path: "/p/tools/x.ts",
  root: "/p",
  rootUrl: "file:///p",
  refusalIn: (message: string) => message.includes(REFUSAL) ? REFUSAL : undefined,
};
const place = (url: string, line: number, column: number) =>
  `\n    at \x1b[0m\x1b[36m${url}\x1b[0m:\x1b[0m\x1b[33m${line}\x1b[0m:\x1b[0m\x1b[33m${column}\x1b[0m`;
const withStack = (error: Error, stack: string) => Object.assign(error, { stack });

const REASONS: [name: string, error: unknown, reason: string][] = [
  ["what the module throws", new Error("boom at import"), "tools/x.ts: boom at import"],
  ["null", null, "tools/x.ts: the module threw null: throw an Error with a message"],
  ["several lines", new Error("one\n  two\n\nthree"), "tools/x.ts: one two three"],
  [
    "a syntax error, with its excerpt",
    new SyntaxError(
      "SyntaxError: Unexpected token `=`. Expected an identifier\n  |\n1 | const x: = 3;\n  |          ~\n" +
        "    at file:///p/tools/x.ts:1:10",
    ),
    "tools/x.ts: SyntaxError: Unexpected token `=`. Expected an identifier at tools/x.ts:1:10",
  ],
  [
    "a hint and a coloured place",
    new TypeError(
      'The import attribute type of "bytes" is unsupported.\n  Specifier: file:///p/tools/m.wasm\n' +
        `  \x1b[0m\x1b[36mhint:\x1b[0m run with --unstable-raw-imports${
          place("file:///p/tools/y.ts", 1, 15)
        }`,
    ),
    'tools/x.ts: The import attribute type of "bytes" is unsupported. at tools/y.ts:1:15',
  ],
  [
    "an export that is not there",
    new SyntaxError(
      "The requested module './helper.ts' does not provide an export named 'no' at file:///p/tools/x.ts:1:10",
    ),
    "tools/x.ts: The requested module './helper.ts' does not provide an export named 'no' at tools/x.ts:1:10",
  ],
  ["a refusal of ours", new TypeError(REFUSAL), REFUSAL],
  [
    "a refusal that Deno wrapped",
    new TypeError(`Error: ${REFUSAL}${place("file:///p/tools/x.ts", 1, 8)}`),
    REFUSAL,
  ],
  [
    "CommonJS in the module",
    withStack(
      new ReferenceError("module is not defined"),
      "ReferenceError: …\n    at file:///p/tools/x.js:1:1",
    ),
    "tools/x.js: it is CommonJS (`module` is not defined in a module): rename it to .cjs or use `export default`",
  ],
  [
    "CommonJS in a helper",
    withStack(
      new ReferenceError("require is not defined"),
      "ReferenceError: …\n    at load (file:///p/lib/a%20b.js:3:5)\n    at file:///p/tools/x.ts:1:1",
    ),
    "lib/a b.js: it is CommonJS (`require` is not defined in a module): rename it to .cjs or use `export default`",
  ],
  [
    "CommonJS without a stack",
    withStack(new ReferenceError("exports is not defined"), ""),
    "tools/x.ts: it is CommonJS (`exports` is not defined in a module): rename it to .cjs or use `export default`",
  ],
  ["a long message", new Error("x".repeat(3_000)), `tools/x.ts: ${"x".repeat(1_988)}…`],
];
for (const [name, error, reason] of REASONS) {
  Deno.test(`loadReason: ${name}`, () => assert.equal(loadReason(error, context), reason));
}
