import assert from "node:assert/strict";
import { coreValue } from "./core_schema.ts";

Deno.test("coreValue types a plain scalar by the core schema of YAML 1.2", () => {
  const cases: [text: string, value: unknown][] = [
    ["", null],
    ["~", null],
    ["null", null],
    ["Null", null],
    ["nULL", "nULL"],
    ["true", true],
    ["TRUE", true],
    ["False", false],
    ["tRUE", "tRUE"],
    // words and forms of YAML 1.1 are text
    ["yes", "yes"],
    ["no", "no"],
    ["on", "on"],
    ["1_000", "1_000"],
    ["0b11", "0b11"],
    ["12:30", "12:30"],
    ["2026-12-01", "2026-12-01"],
    ["0", 0],
    ["-12", -12],
    ["+3", 3],
    ["010", 10],
    ["0o17", 15],
    ["0x1F", 31],
    ["-0x1F", "-0x1F"],
    ["1.5", 1.5],
    [".5", 0.5],
    ["1.", 1],
    ["1e3", 1000],
    ["e3", "e3"],
    [".", "."],
    [".inf", Infinity],
    ["-.Inf", -Infinity],
    [".nan", NaN],
    ["30s", "30s"],
  ];
  for (const [text, value] of cases) assert.deepEqual(coreValue(text), value, text);
});
