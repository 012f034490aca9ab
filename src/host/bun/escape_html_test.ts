import assert from "node:assert/strict";
import { escapeHTML } from "./escape_html.ts";

Deno.test("Bun.escapeHTML escapes five characters of the value's string", () => {
  const cases: [unknown, string][] = [
    ['<a href="x">\'&', "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;"],
    ["plain ünï 🌍", "plain ünï 🌍"],
    ["&lt;", "&amp;lt;"],
    ["", ""],
    [12, "12"],
    [true, "true"],
    [null, "null"],
    [undefined, "undefined"],
    [10n, "10"],
    [["<"], "&lt;"],
    [{ toString: () => "<" }, "&lt;"],
  ];
  for (const [value, text] of cases) assert.equal(escapeHTML(value), text);
  assert.throws(() => escapeHTML(Symbol("x")), TypeError);
});
