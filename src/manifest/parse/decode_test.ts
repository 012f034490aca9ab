import assert from "node:assert/strict";
import { decode, MAX_FILE_BYTES } from "./decode.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("decode takes a BOM off and keeps everything else", () => {
  assert.deepEqual(decode(bytes("a: é🌍\r\n\t")), { text: "a: é🌍\r\n\t", bom: false });
  assert.deepEqual(decode(bytes("\ufeffa")), { text: "a", bom: true });
  assert.deepEqual(decode(bytes("\ufeff\ufeffa")), { text: "\ufeffa", bom: true });
  assert.deepEqual(decode(bytes("")), { text: "", bom: false });
  assert.equal(decode(new Uint8Array(MAX_FILE_BYTES).fill(0x20)).problem, undefined);
});

Deno.test("decode places what can't be decoded", () => {
  const cases: [what: string, input: Uint8Array, offset: number, message: string][] = [
    [
      "a byte that is never UTF-8",
      new Uint8Array([0x61, 0xc3, 0xa9, 0xff]),
      2,
      "The file is not valid UTF-8 from here on: save it as UTF-8.",
    ],
    [
      "a character cut at the end",
      new Uint8Array([0x61, 0x62, 0xe2, 0x82]),
      2,
      "The file is not valid UTF-8 from here on: save it as UTF-8.",
    ],
    [
      "a lone surrogate",
      new Uint8Array([0x61, 0xed, 0xa0, 0x80, 0x62]),
      1,
      "The file is not valid UTF-8 from here on: save it as UTF-8.",
    ],
    [
      "UTF-16 with its BOM",
      new Uint8Array([0xff, 0xfe, 0x61, 0x00]),
      0,
      "The file is not valid UTF-8 from here on: save it as UTF-8.",
    ],
    ["NUL", bytes("ab\0c"), 2, "The control character U+0000 can't stand in a manifest: remove it."],
    ["ESC", bytes("\x1b[31m"), 0, "The control character U+001B can't stand in a manifest: remove it."],
    ["DEL", bytes("a\x7f"), 1, "The control character U+007F can't stand in a manifest: remove it."],
    [
      "20 MB",
      new Uint8Array(20 * 1024 * 1024),
      0,
      "The file has 20,971,520 bytes; a manifest file may have at most 1,048,576.",
    ],
  ];
  for (const [what, input, offset, message] of cases) {
    const { problem } = decode(input);
    assert.deepEqual([problem?.offset, problem?.message], [offset, message], what);
  }
});
