import assert from "node:assert/strict";
import { replaceText } from "./replace_text.ts";

Deno.test("replaceText: what is put where", () => {
  const cases: [
    name: string,
    text: string,
    old: string,
    put: string,
    all: boolean,
    result: string,
    count: number,
  ][] = [
    ["one place", "a b c", "b", "x", false, "a x c", 1],
    ["a special text is text", "a b c", "b", "$& $1 $$ $`", false, "a $& $1 $$ $` c", 1],
    ["every place", "a a a", "a", "b", true, "b b b", 3],
    ["places don't overlap", "aaaa", "aa", "b", true, "bb", 2],
    ["taken away", "a\nb\nc\n", "b\n", "", false, "a\nc\n", 1],
    [
      "CRLF found and kept",
      "one\r\ntwo\r\nthree\r\n",
      "one\ntwo\n",
      "1\n2\n",
      false,
      "1\r\n2\r\nthree\r\n",
      1,
    ],
    ["LF found with CRLF asked", "one\ntwo\n", "one\r\ntwo", "1\r\n2", false, "1\n2\n", 1],
    ["both kinds: letter for letter", "a\r\nb\nc\n", "b\nc", "x", false, "a\r\nx\n", 1],
    ["one line: what is put in stays", "abc", "b", "1\r\n2", false, "a1\r\n2c", 1],
    [
      "other indentation",
      "if {\n\treturn 1\n}\n",
      "if {\n  return 1\n}",
      "if {\n\treturn 2\n}",
      false,
      "if {\n\treturn 2\n}\n",
      1,
    ],
    ["blanks at the end of lines", "a  \nb\nc\n", "a\nb\n", "x\n", false, "x\nc\n", 1],
    ["other indentation with CRLF", "a\r\n  b\r\nc", "a\nb\n", "x\n", false, "x\r\nc", 1],
  ];
  for (const [name, text, oldString, newString, replaceAll, result, count] of cases) {
    assert.deepEqual(replaceText(text, { oldString, newString, replaceAll }), { text: result, count }, name);
  }
});

Deno.test("replaceText: what is not done", () => {
  const cases: [name: string, text: string, old: string, all: boolean, message: RegExp][] = [
    ["not there", "a b", "x", false, /^Could not find oldString in the file\./],
    ["not there for all", "a b", "x", true, /^Could not find oldString/],
    ["several", "a a", "a", false, /^Found multiple matches for oldString\./],
    ["several loose ones", "  a\n b\nx\n a\n  b\n", "a\nb\n", false, /^Found multiple matches/],
    ["only blanks", "a\n\t\nb", "\n  \n", false, /^Could not find oldString/],
    ["a part of a line is never loose", "call(a,  b)", "a, b", false, /^Could not find oldString/],
  ];
  for (const [name, text, oldString, replaceAll, message] of cases) {
    assert.throws(() => replaceText(text, { oldString, newString: "y", replaceAll }), (error: Error) => {
      assert.match(error.message, message, name);
      return true;
    });
  }
});

Deno.test("replaceText: lines that repeat cost no more than others", () => {
  // From each place line by line that would be 2 ** 38 comparisons: an hour in which the daemon's loop stands still.
  const text = " {\n".repeat(1_000_000);
  const wanted = " {\n".repeat(500_000) + "nope";
  assert.throws(
    () => replaceText(text, { oldString: wanted, newString: "x", replaceAll: false }),
    /^Error: Could not find/,
  );
});

Deno.test("replaceText: loose lines are found where they overlap a beginning of themselves", () => {
  const edit = (text: string, oldString: string) =>
    replaceText(text, { oldString, newString: "x", replaceAll: false }).text;
  assert.equal(edit("\ta\n\ta\n\ta\n\tb\n", "a\n a\nb"), "\ta\nx\n");
  assert.equal(edit("1\n\ta\n b\n\ta\n c\n2", "a\nb\na\nc"), "1\nx\n2");
  assert.throws(() => edit("\ta\n\ta\n\ta\n", " a\n a"), /multiple matches/);
});

Deno.test("replaceText: what would not fit into memory is refused", () => {
  const text = "a".repeat(1_000_000);
  assert.throws(
    () => replaceText(text, { oldString: "a", newString: "b".repeat(1000), replaceAll: true }),
    /^Error: The 1000000 places would make the text 1000000000 characters long; 33554432 is the most\./,
  );
  assert.equal(
    replaceText(text, { oldString: "a", newString: "bb", replaceAll: true }).text.length,
    2_000_000,
  );
});
