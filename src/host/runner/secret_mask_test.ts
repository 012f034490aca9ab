import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { maskForms } from "../../log/mask_forms.ts";
import { answerError } from "./answer.ts";
import type { FromTool } from "./messages.ts";
import { learnMaskForms, longestMaskForm, maskedHead, maskSecrets } from "./secret_mask.ts";
import { detailOf, sentenceOf } from "./sentence.ts";
import { CALL_LOG, type LogLimits, ToolLog } from "./tool_log.ts";

// What one thread has learned stays, so the order of the tests counts: the first ones have no secret.

const OLD = "old-value-of-the-key";
const SECRET = "s3cret/of+the-tool=with-some-length";
const BASE64 = Buffer.from(SECRET).toString("base64");
const learn = (value: string) => learnMaskForms(JSON.stringify(maskForms(value)));

/** Whether any eight units of the secret stand in a text: also a half of it would tell. */
function hasPart(text: string, secret: string): boolean {
  for (let at = 0; at + 8 <= secret.length; at++) if (text.includes(secret.slice(at, at + 8))) return true;
  return false;
}

/** What a call's error is answered with: the message of a frame, or the bytes for a file. */
function answered(message: string): { kind: string; text: string } {
  const posted: FromTool[] = [];
  answerError((message) => void posted.push(message), 7, { code: "tool_failed", message });
  const [first] = posted;
  if (first?.kind === "error") return { kind: first.kind, text: JSON.parse(first.json).message };
  assert.ok(first?.kind === "spill");
  return { kind: first.kind, text: new TextDecoder().decode(first.output.bytes) };
}

/** The pieces of log that come of some writes. */
function logged(writes: readonly string[], limits: LogLimits = CALL_LOG): string[] {
  const pieces: string[] = [];
  const log = new ToolLog(limits, (_stream, text) => pieces.push(text));
  for (const text of writes) log.write("stdout", text);
  log.flush();
  return pieces;
}

Deno.test("mask: without secrets a text stays as it is", () => {
  assert.equal(maskSecrets(SECRET), SECRET);
  assert.equal(longestMaskForm(), 0);
});

Deno.test("mask: every form, also of the value before", () => {
  learn(OLD);
  assert.equal(maskSecrets(`${OLD} ${SECRET}`), `*** ${SECRET}`);
  learn(SECRET);
  learn(SECRET);
  for (const form of [...maskForms(SECRET), ...maskForms(OLD)]) {
    assert.equal(maskSecrets(`<${form}>`), "<***>");
  }
  assert.equal(longestMaskForm(), Math.max(...maskForms(SECRET).map((form) => form.length)));
});

Deno.test("mask: a short text is cut from nothing and left to the daemon", () => {
  assert.equal(maskedHead(SECRET, SECRET.length), SECRET);
  assert.equal(maskedHead(SECRET, SECRET.length - 1), "***");
  assert.deepEqual(answered(`no: ${SECRET}`), { kind: "error", text: `no: ${SECRET}` });
  assert.deepEqual(logged([`${SECRET}\n`]), [`${SECRET}\n`]);
});

for (
  const form of [SECRET, BASE64, encodeURIComponent(SECRET), Buffer.from(`u:${SECRET}`).toString("base64")]
) {
  Deno.test(`mask: a long error has no ${form.slice(0, 12)}, in its middle, at the bound, by lines`, () => {
    for (const before of [30_000, 51_100 - 20, 51_200 - 10, 59_000]) {
      const { kind, text } = answered("x".repeat(before) + form + "y".repeat(60_000 - before));
      assert.equal(kind, "spill");
      assert.ok(!hasPart(text, form), `${before}`);
      assert.match(text, /x\*\*\*|x[^x]{0,4}\*\*\*/);
    }
    const byLines = answered("a\n".repeat(1_998) + form + "\nb".repeat(100));
    assert.equal(byLines.kind, "spill");
    assert.ok(!hasPart(byLines.text, form));
  });

  Deno.test(`mask: no piece of a long line has a part of ${form.slice(0, 12)}`, () => {
    for (const cut of [8 * 1024, 32 * 1024, 64 * 1024]) {
      for (const shift of [1, Math.floor(form.length / 2), form.length - 1]) {
        const line = "x".repeat(cut - shift) + form + "y".repeat(100_000 - cut) + "\n";
        const pieces = logged([line]);
        assert.ok(pieces.length > 1);
        assert.ok(!hasPart(pieces.join(""), form), `${cut} ${shift}`);
        assert.match(pieces.join(""), /\*\*\*/);
        assert.match(pieces.join(""), /^x+.*y+\n$/);
      }
    }
  });

  Deno.test(`mask: nor has a line that comes in parts, however ${form.slice(0, 12)} is split`, () => {
    for (const size of [1, 7, 1_000, 8_193, 9_000]) {
      for (const before of [8_192 - 3, 8_192, 8_193, 8_500, 16_384 - 3, 20_000]) {
        const line = "x".repeat(before) + form + "y".repeat(20_000);
        const writes = Array.from(
          { length: Math.ceil(line.length / size) },
          (_, index) => line.slice(index * size, (index + 1) * size),
        );
        const pieces = logged(writes);
        assert.ok(pieces.length > 1);
        // The daemon masks a piece that has the whole of it.
        const told = pieces.map(maskSecrets).join("");
        assert.ok(!hasPart(told, form), `${size} ${before}`);
        assert.equal(told.replace(/[^xy]+/, "").length, before + 20_000);
      }
    }
  });
}

Deno.test("mask: where the log is cut off no half stays", () => {
  const pieces = logged(["x".repeat(990) + SECRET + "\n"], { units: 1_000, pieces: 10, windowMs: Infinity });
  assert.equal(pieces[0], "x".repeat(990) + "***\n");
});

Deno.test("mask: nor where a text far over the budget is all secrets", () => {
  const limits = { units: 1_000, pieces: 10, windowMs: Infinity };
  for (let before = 0; before < SECRET.length; before++) {
    const pieces = logged(["x".repeat(before) + SECRET.repeat(1_000) + "\n"], limits);
    assert.ok(!hasPart(pieces.join(""), SECRET), `${before}`);
    assert.match(pieces[0] ?? "", /^x*(?:\*\*\*)+/);
    assert.match(pieces.at(-1) ?? "", /left out of the log/);
  }
});

Deno.test("mask: nor in what is kept of a stack, of a cause and of a member", () => {
  for (let before = 16_384 - SECRET.length - 20; before < 16_384; before += 7) {
    const detail = detailOf(new Error("x".repeat(before) + SECRET), (stack) => stack) ?? "";
    assert.ok(!hasPart(maskSecrets(detail), SECRET), `${before}`);
  }
  const far = new Error("x".repeat(4 * 16_384 - 10 - "Error: ".length) + SECRET);
  assert.ok(!hasPart(detailOf(far, (stack) => stack.slice(-1_000)) ?? "", SECRET));
  const members = sentenceOf(new AggregateError([new Error("x".repeat(490) + SECRET + "y".repeat(100))]));
  assert.ok(!hasPart(members, SECRET), members);
});
