import assert from "node:assert/strict";
import { checkSecretValue, isTooShortToMask, valueFromStdin } from "./secret_value.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("valueFromStdin: one final newline goes, nothing else does", () => {
  const rows: [string, string][] = [
    ["value", "value"],
    ["value\n", "value"],
    ["value\n\n", "value\n"],
    ["value\r\n", "value"],
    ["a\r\nb\r\n\r\n", "a\r\nb\r\n"],
    ["value\r", "value\r"],
    ["\n", ""],
    ["", ""],
    [" \t value \t ", " \t value \t "],
    ["\uFEFFvalue", "\uFEFFvalue"],
    [`'"$(id)"'\nunset HOME\nexport X='y'\n`, `'"$(id)"'\nunset HOME\nexport X='y'`],
  ];
  for (const [given, value] of rows) assert.equal(valueFromStdin("A", bytes(given)), value, given);
  assert.throws(() => valueFromStdin("A", new Uint8Array([0x61, 0xff])), {
    code: "usage",
    message: "the value of A on stdin is not UTF-8 text.",
  });
});

Deno.test("checkSecretValue: NUL and more than 128 KiB are refused, in bytes", () => {
  const largest = 128 * 1024;
  for (const value of ["", "x", "\x01\t\n\x7f", "a".repeat(largest), "ä".repeat(largest / 2)]) {
    checkSecretValue("A", value);
  }
  for (const value of ["a".repeat(largest + 1), `${"ä".repeat(largest / 2)}a`]) {
    assert.throws(() => checkSecretValue("A", value), {
      code: "usage",
      message: "the value of A is larger than 128 KiB.",
    });
  }
  assert.throws(() => checkSecretValue("A", "one\0two"), {
    code: "usage",
    message: "the value of A contains a NUL character.",
  });
});

Deno.test("isTooShortToMask: under 8 characters", () => {
  assert.deepEqual(["", "1234567", "12345678"].map(isTooShortToMask), [true, true, false]);
});
