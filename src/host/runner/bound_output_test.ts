import assert from "node:assert/strict";
import fc from "fast-check";
import {
  countLines,
  countNewlines,
  cutOutput,
  isWithinBounds,
  MAX_OUTPUT_BYTES,
  MAX_OUTPUT_LINES,
  outputNote,
} from "./bound_output.ts";
import { fuzz } from "../../../tests/support/fuzz.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const FILE = "/tmp/beeuni-tool-output/s1/t-20261201T000000-1a2b3c4d.txt";

/** What the model reads of `text`, as the runner makes it. */
function bound(text: string, json = false): string {
  const bytes = encode(text);
  const lines = countLines(bytes);
  if (isWithinBounds(bytes.length, lines)) return text;
  return cutOutput(bytes, outputNote({ bytes: bytes.length, lines, json, file: FILE }));
}

const LINES: [text: string, lines: number][] = [
  ["", 0],
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["\n", 1],
  ["\n\n", 2],
  ["a\r\nb\r\n", 2],
  ["a\rb", 1],
];
for (const [text, lines] of LINES) {
  Deno.test(`countLines: ${JSON.stringify(text)} has ${lines}`, () =>
    assert.equal(countLines(encode(text)), lines));
}

Deno.test("countLines: counts every newline, wherever the bytes lie in their buffer", () => {
  const near = [0x0a, 0x0b, 0x09, 0x8a, 0x00, 0x01, 0xff, 0x80, 0x7f];
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...near), fc.nat(255)), { maxLength: 40 }),
      fc.nat(7),
      (list, offset) => {
        const bytes = new Uint8Array(new ArrayBuffer(offset + list.length), offset);
        bytes.set(list);
        const newlines = list.filter((byte) => byte === 0x0a).length;
        assert.equal(countNewlines(bytes), newlines);
        assert.equal(countLines(bytes), newlines + (list.length > 0 && list.at(-1) !== 0x0a ? 1 : 0));
      },
    ),
    fuzz(500),
  );
  for (const length of [4 * 255, 4 * 255 + 3, 4 * 256, 100_003]) {
    assert.equal(countNewlines(new Uint8Array(length).fill(0x0a)), length);
  }
});

const WHOLE: [name: string, text: string][] = [
  ["nothing", ""],
  ["exactly 51,200 bytes", "x".repeat(51_200)],
  ["exactly 51,200 bytes of emoji", "🌍".repeat(12_800)],
  ["exactly 2,000 lines", "x\n".repeat(1_999) + "x"],
  ["exactly 2,000 lines and a final newline", "x\n".repeat(2_000)],
  ["2,000 lines with CRLF", "x\r\n".repeat(2_000)],
];
for (const [name, text] of WHOLE) {
  Deno.test(`bounds: ${name} stays as it is`, () => assert.equal(bound(text), text));
}

const CUT: [name: string, text: string, bytes: number, lines: number][] = [
  ["51,201 bytes", "x".repeat(51_201), 51_201, 1],
  ["a line of 200 KB", "y".repeat(204_800), 204_800, 1],
  ["2,001 lines", "x\n".repeat(2_000) + "x", 4_001, 2_001],
  ["2,001 lines and a final newline", "x\n".repeat(2_001), 4_002, 2_001],
  ["60,000 newlines", "\n".repeat(60_000), 60_000, 60_000],
  ["2,001 lines with CRLF", "x\r\n".repeat(2_001), 6_003, 2_001],
  ["many long lines", ("z".repeat(99) + "\n").repeat(1_000), 100_000, 1_000],
  ["emoji", "a🌍b🌎c".repeat(10_000), 110_000, 1],
  ["a byte order mark at the start", "\ufeff" + "x".repeat(60_000), 60_003, 1],
];
for (const [name, text, bytes, lines] of CUT) {
  Deno.test(`bounds: ${name} is cut, with the note inside the bounds`, () => {
    const output = bound(text);
    const note = `\n\n[Output truncated: ${bytes} bytes, ${lines} lines. ` +
      `The whole output is in ${FILE}; read it in parts or search it.]`;
    assert.ok(output.endsWith(note), output.slice(-300));
    const head = output.slice(0, -note.length);
    assert.ok(text.startsWith(head));
    assertBounded(output);
    assert.ok(
      encode(output).length > MAX_OUTPUT_BYTES - 8 || countLines(encode(output)) >= MAX_OUTPUT_LINES - 1,
    );
  });
}

Deno.test("bounds: a cut JSON value says so", () => {
  assert.ok(
    bound("[" + "1,".repeat(30_000) + "1]", true).endsWith(
      `[Output truncated: 60003 bytes, 1 lines. The whole output is in ${FILE}; read it in parts or search it. ` +
        "The part above is cut JSON.]",
    ),
  );
});

Deno.test("bounds: when there is no file the note says why", () => {
  const note = outputNote({ bytes: 60_000, lines: 1, json: false, file: { lost: "the disk is full" } });
  assert.equal(note, "[Output truncated: 60000 bytes, 1 lines. The rest was lost: the disk is full.]");
});

Deno.test("bounds: no character is cut, wherever the cut falls", () => {
  for (const character of ["é", "€", "🌍", "👩‍🚀", "\r\n"]) {
    for (let shift = 0; shift < 12; shift++) {
      const text = "x".repeat(shift) + character.repeat(60_000);
      const output = bound(text);
      assert.ok(!output.includes("\ufffd"), `${character} shifted by ${shift}`);
      assert.ok(text.startsWith(output.slice(0, output.indexOf("\n\n[Output"))));
      assertBounded(output);
    }
  }
});

Deno.test("bounds: no text is empty after the cut, grows, or breaks", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constantFrom("\n", "\r\n", "\r", "🌍", "é", "\ufeff", "\u2028"),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 70_000 }),
      (pieces, times) => {
        const text = pieces.join("").repeat(times).slice(0, 300_000).toWellFormed();
        const output = bound(text);
        if (output === text) return;
        assertBounded(output);
        const head = output.slice(0, output.lastIndexOf("\n\n[Output truncated"));
        assert.ok(text.startsWith(head));
        assert.equal(output.split("\ufffd").length <= text.split("\ufffd").length, true);
      },
    ),
    fuzz(60),
  );
});

function assertBounded(output: string): void {
  const bytes = encode(output);
  assert.ok(bytes.length <= MAX_OUTPUT_BYTES, `${bytes.length} bytes`);
  assert.ok(countLines(bytes) <= MAX_OUTPUT_LINES, `${countLines(bytes)} lines`);
  assert.notEqual(output, "");
}
