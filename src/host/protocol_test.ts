import assert from "node:assert/strict";
import fc from "fast-check";
import { fuzz } from "../../tests/support/fuzz.ts";
import {
  decodeRunnerFrame,
  encodeFrame,
  MAX_PARAMETERS_DEPTH,
  readFrameHeader,
  type RunnerFrame,
} from "./protocol.ts";

const encoder = new TextEncoder();
const decode = (text: string) => decodeRunnerFrame(encoder.encode(text));

const FRAMES: RunnerFrame[] = [
  { kind: "hello", id: 0, body: {} },
  {
    kind: "loaded",
    id: 3,
    body: { description: "x", parameters: { type: "object", properties: {} }, graph: ["/p/tools/a.ts"] },
  },
  { kind: "load_failed", id: 3, body: { reason: "tools/a.ts does not exist", graph: [] } },
  { kind: "graph", id: 3, body: { graph: ["/p/late.ts"] } },
  { kind: "result", id: 12, body: { output: "a\nb\u2028 🌍 \ufeff" } },
  {
    kind: "result",
    id: 12,
    body: { output: "a", truncated: true, bytes: 60_000, lines: 2, file: "/t/x.txt" },
  },
  { kind: "result", id: 12, body: { output: "a", truncated: true, bytes: 60_000, lines: 2 } },
  { kind: "error", id: 12, body: { code: "tool_failed", message: "no" } },
  { kind: "error", id: 12, body: { code: "output_too_large", message: "no", detail: "Error: no\n  at x" } },
  { kind: "error", id: 12, body: { code: "worker_gone", message: "" } },
  { kind: "log", id: 3, body: { call: 0, stream: "console", text: "x\n" } },
  { kind: "worker_error", id: 3, body: { message: "x" } },
  { kind: "retired", id: 3, body: { stopped: false } },
];

for (const frame of FRAMES) {
  Deno.test(`protocol: a ${frame.kind} frame survives ${JSON.stringify(frame.body).slice(0, 40)}`, () => {
    const line = encodeFrame(frame);
    assert.equal(line.indexOf("\n"), line.length - 1);
    assert.deepEqual(decode(line.slice(0, -1)), frame);
  });
}

Deno.test("protocol: a mask frame is one line with every form in it", () => {
  const forms = ["two\nlines", "\ud800 alone", "größe 🌍", "\u2028", "plain"];
  const line = encoder.encode(encodeFrame({ kind: "mask", id: 2, body: forms }));
  assert.equal(line.indexOf(0x0a), line.length - 1);
  const header = readFrameHeader(line.subarray(0, -1));
  assert.ok(header !== undefined);
  assert.deepEqual([header.kind, header.id], ["mask", 2]);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(line.subarray(header.bodyStart))), forms);
  // Only the daemon says it.
  assert.equal(decodeRunnerFrame(line.subarray(0, -1)), undefined);
});

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const loaded = (parameters: string) => `loaded 1 {"description":"x","parameters":${parameters},"graph":[]}`;

const GARBAGE: [name: string, line: string][] = [
  ["nothing", ""],
  ["a blank", " "],
  ["no id", "hello {}"],
  ["no body", "hello 0 "],
  ["no blank after the id", "hello 0{}"],
  ["an unknown kind", "shutdown 0 {}"],
  ["a kind of the other direction", "retire 1 {}"],
  ["a kind of Object.prototype", "constructor 1 {}"],
  ["a kind in capitals", "HELLO 0 {}"],
  ["a negative id", 'retired -1 {"stopped":true}'],
  ["a fraction as id", 'retired 1.5 {"stopped":true}'],
  ["an id with a leading zero", 'retired 01 {"stopped":true}'],
  ["an id in hexadecimal", 'retired 0x1 {"stopped":true}'],
  ["an id above the safe integers", 'retired 9007199254740992 {"stopped":true}'],
  ["an id of a thousand digits", `retired ${"1".repeat(1000)} {"stopped":true}`],
  ["a hello with an id", "hello 1 {}"],
  ["a hello with a member", 'hello 0 {"pid":1}'],
  ["a body that is not JSON", "hello 0 {,}"],
  ["a body with something after it", "hello 0 {} {}"],
  ["a body that is a list", "hello 0 []"],
  ["a body that is null", "hello 0 null"],
  ["a body that is text", 'hello 0 "{}"'],
  ["a missing member", 'error 1 {"code":"tool_failed"}'],
  ["a surplus member", 'retired 1 {"stopped":true,"x":1}'],
  ["a member called __proto__", 'retired 1 {"stopped":true,"__proto__":{}}'],
  ["only a member called __proto__", 'retired 1 {"__proto__":{"stopped":true}}'],
  ["a member of the wrong type", 'retired 1 {"stopped":1}'],
  ["an unknown error code", 'error 1 {"code":"aborted","message":"x"}'],
  ["a message that is no text", 'error 1 {"code":"tool_failed","message":{}}'],
  ["a detail that is null", 'error 1 {"code":"tool_failed","message":"x","detail":null}'],
  ["an output that is no text", 'result 1 {"output":1}'],
  ["a result that is cut without its size", 'result 1 {"output":"x","truncated":true}'],
  ["a result that is not cut with a size", 'result 1 {"output":"x","bytes":1,"lines":1}'],
  ["truncated: false", 'result 1 {"output":"x","truncated":false,"bytes":1,"lines":1}'],
  ["a negative size", 'result 1 {"output":"x","truncated":true,"bytes":-1,"lines":1}'],
  ["a size that is no whole number", 'result 1 {"output":"x","truncated":true,"bytes":1.5,"lines":1}'],
  ["an infinite size", 'result 1 {"output":"x","truncated":true,"bytes":1e999,"lines":1}'],
  ["an unknown stream", 'log 1 {"call":1,"stream":"stdin","text":"x"}'],
  ["a call that is text", 'log 1 {"call":"1","stream":"stdout","text":"x"}'],
  ["a graph that is no list", 'load_failed 1 {"reason":"x","graph":"/a"}'],
  ["a graph with a number", 'load_failed 1 {"reason":"x","graph":["/a",1]}'],
  ["parameters that are a list", loaded("[]")],
  ["parameters that are null", loaded("null")],
  ["parameters nested too deeply", loaded(`{"a":${deep(MAX_PARAMETERS_DEPTH)}}`)],
  ["parameters nested very deeply", loaded(`{"a":${deep(100_000)}}`)],
];
for (const [name, line] of GARBAGE) {
  Deno.test(`protocol: ${name} is no frame`, () => assert.equal(decode(line), undefined));
}

Deno.test("protocol: parameters may be nested as deeply as the limit says", () => {
  assert.notEqual(decode(loaded(`{"a":${deep(MAX_PARAMETERS_DEPTH - 1)}}`)), undefined);
});

Deno.test("protocol: invalid UTF-8 is no frame, also inside a text", () => {
  const line = encoder.encode('worker_error 1 {"message":"x"}');
  for (let index = 0; index < line.length; index++) {
    const broken = line.slice();
    broken[index] = 0xff;
    assert.equal(decodeRunnerFrame(broken), undefined, `byte ${index}`);
  }
});

Deno.test("protocol: no garbage makes the decoder throw, and only a frame is a frame", () => {
  const kinds = fc.constantFrom(...FRAMES.map((frame) => frame.kind), "x", "");
  fc.assert(
    fc.property(kinds, fc.oneof(fc.nat().map(String), fc.string()), fc.json(), (kind, id, json) => {
      const frame = decode(`${kind} ${id} ${json}`);
      if (frame !== undefined) assert.deepEqual(decode(encodeFrame(frame).slice(0, -1)), frame);
    }),
    fuzz(500),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(decodeRunnerFrame(bytes), undefined);
    }),
    fuzz(500),
  );
});

Deno.test("protocol: a frame with one byte changed is a frame of its own or none", () => {
  const frame = fc.constantFrom(...FRAMES);
  fc.assert(
    fc.property(frame, fc.nat(), fc.integer({ min: 0, max: 255 }), (frame, place, byte) => {
      const line = encoder.encode(encodeFrame(frame)).slice(0, -1);
      line[place % line.length] = byte;
      const read = decodeRunnerFrame(line);
      if (read !== undefined) assert.deepEqual(decode(encodeFrame(read).slice(0, -1)), read);
    }),
    fuzz(1000),
  );
});

Deno.test("protocol: the header says where the body starts, and does not read it", () => {
  const line = encoder.encode("call 42 {not json \xff");
  assert.deepEqual(readFrameHeader(line), { kind: "call", id: 42, bodyStart: 8 });
  assert.equal(readFrameHeader(encoder.encode("call 42")), undefined);
  assert.equal(readFrameHeader(encoder.encode("x".repeat(100_000))), undefined);
});
