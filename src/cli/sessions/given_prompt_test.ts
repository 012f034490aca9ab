import assert from "node:assert/strict";
import { givenPrompt } from "./given_prompt.ts";

const stdin = (bytes: string | Uint8Array<ArrayBuffer>) => () => new Response(bytes).body!;

Deno.test("a prompt is given as it is, or read from stdin", async () => {
  assert.equal(await givenPrompt("Do it.", stdin("x")), "Do it.");
  assert.equal(await givenPrompt("-", stdin("one\ntwö\n")), "one\ntwö\n");
  const long = "a".repeat(8_300_000);
  assert.equal(await givenPrompt("-", stdin(long)), long);
});

Deno.test("an empty prompt, one that is no text and one without an end are wrong use", async () => {
  const cases: [string, () => ReadableStream<Uint8Array>, string][] = [
    ["", stdin("x"), "the prompt is empty."],
    [" \n", stdin("x"), "the prompt is empty."],
    ["-", stdin("\n"), "the prompt is empty."],
    ["-", stdin(new Uint8Array([0xff])), "the prompt on stdin is not UTF-8 text."],
    [
      "-",
      () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) }),
      "the prompt is larger than 8 MiB.",
    ],
    ["-", stdin('"'.repeat(4.2 * 1024 * 1024)), "the prompt is larger than 8 MiB."],
    ["-", stdin("\x01".repeat(1.5 * 1024 * 1024)), "the prompt is larger than 8 MiB."],
  ];
  for (const [given, readStdin, message] of cases) {
    await assert.rejects(givenPrompt(given, readStdin), { code: "usage", message, exitCode: 2 });
  }
});
