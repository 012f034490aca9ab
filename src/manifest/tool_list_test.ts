import assert from "node:assert/strict";
import { toolList } from "./tool_list.ts";

type Plain = { entries: [string, boolean][]; otherwise: boolean };
const EVERY: Plain = { entries: [], otherwise: true };
const NONE: Plain = { entries: [], otherwise: false };

const FORMS: [what: string, value: unknown, expected: Plain][] = [
  ["omitted", undefined, EVERY],
  ["all", "all", EVERY],
  ["a list with *", ["read", "*"], EVERY],
  ["none", "none", NONE],
  ["an empty list", [], NONE],
  ["a list", ["read", "show"], { entries: [["read", true], ["show", true]], otherwise: false }],
  ["exclude", { exclude: ["bash"] }, { entries: [["bash", false]], otherwise: true }],
  ["exclude *", { exclude: ["*"] }, NONE],
  ["a map", { bash: false, read: true }, { entries: [["bash", false], ["read", true]], otherwise: true }],
  ["a map with *", { "*": false, read: true }, { entries: [["read", true]], otherwise: false }],
  ["a map with a tool named exclude", { exclude: false }, { entries: [["exclude", false]], otherwise: true }],
  ["an empty map", {}, EVERY],
  // not one of the forms: nothing is allowed
  ["null", null, NONE],
  ["a number", 5, NONE],
  ["true", true, NONE],
  ["another word", "bash", NONE],
  ["a bare *", "*", NONE],
  ["a list with a number", ["*", 5], NONE],
  ["exclude beside another key", { exclude: ["bash"], read: true }, NONE],
  ["exclude with a number", { exclude: [5] }, NONE],
  ["a map with a word", { bash: "no" }, NONE],
  [
    "names of Object.prototype",
    JSON.parse('{"__proto__": false, "constructor": false}'),
    { entries: [["__proto__", false], ["constructor", false]], otherwise: true },
  ],
];

Deno.test("toolList reads every form of agents.<name>.tools and closes on anything else", () => {
  for (const [what, value, expected] of FORMS) {
    const list = toolList(value);
    assert.deepEqual({ entries: [...list.entries], otherwise: list.otherwise }, expected, what);
  }
});
