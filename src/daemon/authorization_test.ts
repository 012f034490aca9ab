import assert from "node:assert/strict";
import { checkAuthorization } from "./authorization.ts";
import { equalInConstantTime } from "./equal_in_constant_time.ts";

const KEY = "ab".repeat(32);

Deno.test("the right key passes, whatever the case of the scheme", () => {
  for (const header of [`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}`]) checkAuthorization(header, KEY);
});

Deno.test("anything else does not", () => {
  const none = "the request has no key: send `Authorization: Bearer <key>`.";
  const cases: [string | null, string][] = [
    [null, none],
    ["", none],
    ["Bearer", none],
    ["Bearer ", none],
    [KEY, none],
    [`Basic ${KEY}`, none],
    [`Bearer ${KEY} x`, none],
    [`Bearer ${KEY.slice(1)}`, "the key is wrong."],
    [`Bearer ${KEY}a`, "the key is wrong."],
    [`Bearer ${KEY.toUpperCase()}`, "the key is wrong."],
    [`Bearer ${"ba".repeat(32)}`, "the key is wrong."],
  ];
  for (const [header, message] of cases) {
    assert.throws(() => checkAuthorization(header, KEY), { code: "unauthorized", message }, header ?? "null");
  }
});

Deno.test("texts are equal only when every unit and the length are", () => {
  assert.equal(equalInConstantTime("", ""), true);
  assert.equal(equalInConstantTime("abc", "abc"), true);
  for (const given of ["", "ab", "abd", "bbc", "abcd", "abc\0", "ABC"]) {
    assert.equal(equalInConstantTime(given, "abc"), false, JSON.stringify(given));
  }
  assert.equal(equalInConstantTime("\0\0\0", ""), false);
});
