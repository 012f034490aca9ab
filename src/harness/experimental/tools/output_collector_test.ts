import assert from "node:assert/strict";
import { readFileSync, statSync, symlinkSync } from "node:fs";
import { OutputCollector } from "./output_collector.ts";
import { CallBench } from "./testing/call_bench.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function collected(bench: CallBench, pieces: readonly Uint8Array[], status = "", maxBytes?: number) {
  using output = new OutputCollector({
    folder: bench.spillFolder,
    tool: "bash",
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const taken: boolean[] = [];
  for (const piece of pieces) taken.push(await output.push(piece));
  return { ...await output.finish(status, "(no output)"), taken };
}

Deno.test("OutputCollector: what is short goes as it is, with the status in a line of its own", async () => {
  await using bench = await CallBench.make();
  const cases: [string[], string, string][] = [
    [[], "", "(no output)"],
    [["a\n"], "", "a\n"],
    [["a"], "[S]", "a\n\n[S]"],
    [["a\n"], "[S]", "a\n\n[S]"],
    [["é", "x"], "", "éx"],
  ];
  for (const [pieces, status, output] of cases) {
    const result = await collected(bench, pieces.map(bytes), status);
    assert.equal(result.output, output);
    assert.equal(result.file, undefined);
  }
  const [first, second] = [bytes("é").subarray(0, 1), bytes("é").subarray(1)];
  assert.equal((await collected(bench, [first, second])).output, "é");
});

Deno.test("OutputCollector: what is long is whole in the file and cut for the model, within the bounds of 2.5", async () => {
  await using bench = await CallBench.make();
  const cases: [name: string, pieces: Uint8Array[], size: string][] = [
    ["one byte too many", [bytes("x".repeat(51_200)), bytes("y")], "51201 bytes, 1 lines"],
    ["one line too many", [bytes("x\n".repeat(2_001))], "4002 bytes, 2001 lines"],
    [
      "many pieces",
      Array.from({ length: 300 }, (_, n) => bytes(`${n} ${"z".repeat(998)}\n`)),
      "bytes, 300 lines",
    ],
    ["no UTF-8", [new Uint8Array(40_000).fill(0xff)], "40000 bytes, 1 lines"],
  ];
  for (const [name, pieces, size] of cases) {
    const { output, file } = await collected(bench, pieces, "[S]");
    assert.ok(file !== undefined, name);
    assert.ok(
      output.endsWith(`${size}. The whole output is in ${file}; read it in parts or search it.] [S]`),
      name,
    );
    assert.ok(bytes(output).length <= 51_200, name);
    assert.ok(output.split("\n").length <= 2_000, name);
    assert.deepEqual(
      new Uint8Array(readFileSync(file)),
      new Uint8Array(await new Blob(pieces.map((p) => new Uint8Array(p))).arrayBuffer()),
      name,
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }
});

Deno.test("OutputCollector: exactly the bounds are not cut", async () => {
  await using bench = await CallBench.make();
  for (const text of ["x".repeat(51_200), "x\n".repeat(2_000)]) {
    assert.deepEqual(await collected(bench, [bytes(text)]), { output: text, taken: [true] });
  }
});

Deno.test("OutputCollector: over the largest file the rest is dropped and the caller told", async () => {
  await using bench = await CallBench.make();
  const piece = bytes("x".repeat(60_000));
  const { taken, file } = await collected(bench, [piece, piece, piece], "", 100_000);
  assert.deepEqual(taken, [true, false, false]);
  assert.equal(statSync(file!).size, 100_000);
});

Deno.test("OutputCollector: a folder that is a link is not written into", async () => {
  await using bench = await CallBench.make();
  symlinkSync(bench.root, bench.spillFolder);
  const { output, file } = await collected(bench, [bytes("x".repeat(60_000))]);
  assert.equal(file, undefined);
  assert.match(output, /The rest was lost: .* is a link\.\]$/);
  assert.deepEqual(await bench.names(), []);
});
