import assert from "node:assert/strict";
import { Masker } from "../log/masker.ts";
import { maskedJson } from "./masked_json.ts";

Deno.test("maskedJson: every secret is masked, and what it is in stays JSON", () => {
  const masker = new Masker();
  const spans = '{"user":"someone","pin":"0042"}';
  masker.add(["hunter2-hunter2", 'quote"d\\secret', spans]);
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const deep = "[".repeat(50_000) + "]".repeat(50_000);
  const rows: [unknown, unknown][] = [
    [{ a: 1, b: [null, true], c: "text" }, { a: 1, b: [null, true], c: "text" }],
    ["hunter2-hunter2", "***"],
    [{ a: "x hunter2-hunter2 y", b: ['quote"d\\secret'] }, { a: "x *** y", b: ["***"] }],
    [{ "hunter2-hunter2": 1 }, { "***": 1 }],
    [{ cmd: JSON.stringify({ key: 'quote"d\\secret' }) }, { cmd: '{"key":"***"}' }],
    // The whole object is the secret.
    [{ user: "someone", pin: "0042" }, "***"],
    [{ account: JSON.parse(spans) }, '{"account":***}'],
    [undefined, null],
    [() => {}, null],
    [cyclic, "(arguments that can't be written as JSON)"],
    [1n, "(arguments that can't be written as JSON)"],
    [JSON.parse('{"__proto__":"hunter2-hunter2"}'), JSON.parse('{"__proto__":"***"}')],
  ];
  for (const [value, expected] of rows) {
    assert.deepEqual(JSON.parse(maskedJson(value, (text) => masker.mask(text))), expected);
  }
  JSON.parse(maskedJson(JSON.parse(deep), (text) => masker.mask(text)));
});
