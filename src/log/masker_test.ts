import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { Masker } from "./masker.ts";
import { maskForms } from "./mask_forms.ts";
import { fuzz } from "../../tests/support/fuzz.ts";

const JSON_SECRET = '{\n  "type": "service_account",\n  "key": "abc/def+ghi==",\n  "id": 1\n}';
const PEM = "-----BEGIN KEY-----\r\nMIIBVgIBADANBgkq\r\nhkiG9w0BAQEFAASC\r\n-----END KEY-----\r\n";
const SECRETS = [
  "hunter2hunter2",
  `quote"back\\slash'tick\``,
  "päss wörd 🌍 ok",
  JSON_SECRET,
  PEM,
  "a+b/c=d&e?f#g h",
];

/** Every way in which a secret may stand in a line, by name. */
const SPELLINGS: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  "JSON string": (secret) => JSON.stringify({ secret }),
  "JSON in JSON": (secret) => JSON.stringify(JSON.stringify({ secret })),
  "URL component": (secret) => `https://x.test/?q=${encodeURIComponent(secret)}&z=1`,
  "URL component, small hex": (secret) => {
    return encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  },
  "form field": (secret) => new URLSearchParams({ secret }).toString(),
  base64: (secret) => Buffer.from(secret).toString("base64"),
  "base64 behind 1 byte": (secret) => Buffer.from(`u${secret}`).toString("base64"),
  "base64 behind 2 bytes": (secret) => Buffer.from(`u:${secret}`).toString("base64"),
  "base64 in the middle": (secret) => Buffer.from(`user:${secret}:more text behind`).toString("base64"),
  base64url: (secret) => Buffer.from(`?>${secret}>?`).toString("base64url"),
};

Deno.test("Masker: every spelling of every secret is masked", () => {
  const masker = new Masker();
  masker.add(SECRETS);
  for (const secret of SECRETS) {
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      const line = `before ${spell(secret)} after`;
      const masked = masker.mask(line);
      const what = `${name} of ${JSON.stringify(secret)}: ${masked}`;
      assert.ok(masked.includes("***"), what);
      assert.ok(masked.startsWith("before ") && masked.endsWith(" after"), what);
      for (const form of maskForms(secret)) assert.ok(!masked.includes(form), `${what} still has ${form}`);
    }
  }
});

Deno.test("Masker: a secret of several lines is masked line by line, its braces in other lines are not", () => {
  const masker = new Masker();
  masker.add([JSON_SECRET, PEM]);
  assert.equal(masker.mask('  "key": "abc/def+ghi==",'), "  ***");
  assert.equal(masker.mask("read MIIBVgIBADANBgkq from the file"), "read *** from the file");
  for (const line of ["{", "}", '{ "id": 1 }', "function f() {", '"type": "other"']) {
    assert.equal(masker.mask(line), line);
  }
});

Deno.test("Masker: short values and other text stay", () => {
  const masker = new Masker();
  masker.add(["1234567", "", "ab\ncd\nef"]);
  for (const text of ["1234567", "ab", "cd", ""]) assert.equal(masker.mask(text), text);
  masker.add(["12345678"]);
  assert.equal(masker.mask("x12345678x 1234567"), "x***x 1234567");
});

Deno.test("Masker: the forms of the values that are secrets, the longest first", () => {
  const masker = new Masker();
  masker.add(["short", ...SECRETS]);
  const [one = "", two = ""] = SECRETS;
  const forms = masker.formsOf(["no secret at all", one, "short", two, one]);
  assert.deepEqual(new Set(forms), new Set([...maskForms(one), ...maskForms(two)]));
  assert.equal(forms.length, new Set(forms).size);
  assert.deepEqual(
    forms.map(({ length }) => length),
    forms.map(({ length }) => length).toSorted((a, b) => b - a),
  );
});

Deno.test("Masker: a value that was replaced is still masked", () => {
  const masker = new Masker();
  masker.add(["old-secret-value"]);
  assert.equal(masker.mask("old-secret-value"), "***");
  masker.add(["new-secret-value"]);
  assert.equal(masker.mask("old-secret-value new-secret-value"), "*** ***");
});

Deno.test("Masker: characters of a pattern mean themselves", () => {
  const masker = new Masker();
  masker.add(["a.b*c+(d)[e]|f^$\\", "$&$&$&$&"]);
  assert.equal(masker.mask("a.b*c+(d)[e]|f^$\\ aXbXcXd"), "*** aXbXcXd");
  assert.equal(masker.mask("$&$&$&$&"), "***");
});

Deno.test("Masker: whatever the secret and the text around it, base64 never shows it", () => {
  const secret = fc.string({ minLength: 8, maxLength: 60, unit: "binary" }).filter((text) =>
    text.isWellFormed()
  );
  fc.assert(
    fc.property(
      secret,
      fc.string({ maxLength: 10 }),
      fc.string({ maxLength: 10 }),
      (secret, before, after) => {
        const masker = new Masker();
        masker.add([secret]);
        for (const encoding of ["base64", "base64url"] as const) {
          const masked = masker.mask(Buffer.from(before + secret + after).toString(encoding));
          // At most the two characters at each end that also carry bits of a neighbour may be left of it.
          const longest = Math.max(...masked.split("***").map((part) => part.length));
          assert.ok(longest <= Math.ceil(Math.max(before.length, after.length) * 4 * 4 / 3) + 4, masked);
        }
      },
    ),
    fuzz(300),
  );
});

Deno.test("Masker: lone surrogates do not stop it", () => {
  const masker = new Masker();
  masker.add(["\ud800abcdefgh"]);
  assert.equal(masker.mask("x \ud800abcdefgh y"), "x *** y");
});
