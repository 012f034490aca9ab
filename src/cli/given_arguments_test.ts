import assert from "node:assert/strict";
import { givenArguments } from "./given_arguments.ts";

const stdin = (text: string | Uint8Array<ArrayBuffer>) => () => new Response(text).body!;
const noStdin = () => {
  throw new Error("stdin was read");
};

Deno.test("arguments come from the line, a file or stdin", async () => {
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(file, '\ufeff{"from":"file"}\n');
    assert.deepEqual(await givenArguments(undefined, noStdin), {});
    assert.deepEqual(await givenArguments('{"a":[1]}', noStdin), { a: [1] });
    assert.deepEqual(await givenArguments(`@${file}`, noStdin), { from: "file" });
    assert.deepEqual(await givenArguments("-", stdin(' {"from":"stdin"} ')), { from: "stdin" });
  } finally {
    await Deno.remove(file);
  }
});

const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)) });

Deno.test("what is no JSON object is wrong use, and says where", async () => {
  const cases: [string, () => ReadableStream<Uint8Array>, RegExp][] = [
    ["", noStdin, /^--args is not valid JSON: /],
    ["{", noStdin, /^--args is not valid JSON: /],
    ["id=1", noStdin, /^--args is not valid JSON: /],
    ["[]", noStdin, /^--args must be a JSON object\.$/],
    ["null", noStdin, /^--args must be a JSON object\.$/],
    ['"x"', noStdin, /^--args must be a JSON object\.$/],
    ["-", stdin(""), /^stdin is not valid JSON: /],
    ["-", stdin("1"), /^stdin must be a JSON object\.$/],
    ["-", stdin(new Uint8Array([0xff])), /^stdin is not UTF-8 text\.$/],
    ["@/no/such/file", noStdin, /^the arguments in \/no\/such\/file can't be read: it does not exist\.$/],
    // Neither has an end.
    ["@/dev/zero", noStdin, /^the arguments in \/dev\/zero are larger than 8 MiB\.$/],
    ["@/dev/full", noStdin, /^the arguments in \/dev\/full are larger than 8 MiB\.$/],
    ["-", endless, /^the arguments in stdin are larger than 8 MiB\.$/],
    ["@", noStdin, /^the arguments in {2}can't be read: /],
  ];
  for (const [given, read, message] of cases) {
    await assert.rejects(givenArguments(given, read), { code: "usage", message }, given);
  }
});
