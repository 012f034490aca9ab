import assert from "node:assert/strict";

/**
 * Asserts that an error is one a person can read: one bounded sentence, without stack lines, without the runtime's
 * own advice about its flags, without a name of an internal file.
 */
export function assertReadable(message: unknown): asserts message is string {
  assert.equal(typeof message, "string");
  const text = String(message);
  assert.notEqual(text.trim(), "", "the message is empty");
  assert.ok(text.length <= 51_200, `the message has ${text.length} characters`);
  assert.doesNotMatch(text, /^\s+at .*[:)]/m, "the message has stack lines");
  assert.doesNotMatch(
    text,
    /--(allow|deny|unstable)-|run again with/,
    "the message has advice about Deno's flags",
  );
  assert.doesNotMatch(
    text,
    /bootstrap\.ts|carrier\.ts|runner\/main\.ts|\bext:/,
    "the message names an internal file",
  );
  // deno-lint-ignore no-control-regex -- colours are what must not be there
  assert.doesNotMatch(text, /\x1b\[/, "the message has colours");
  assert.doesNotMatch(text, /\[object Object\]|^undefined$|^null$/, "the message says nothing");
}
