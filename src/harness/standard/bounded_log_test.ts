import assert from "node:assert/strict";
import { join } from "node:path";
import { keepLog } from "./bounded_log.ts";

Deno.test("keepLog: keeps the last of it, readable by the user alone, and tells the text", async () => {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-bounded-log-" });
  try {
    const file = join(folder, "log");
    const chunk = "x".repeat(64 * 1024);
    let told = 0;
    const chunks = [...Array.from({ length: 80 }, () => chunk), "the end"];
    const stream = ReadableStream.from(chunks.map((text) => new TextEncoder().encode(text)));
    await keepLog(stream, file, (text) => void (told += text.length));
    assert.equal(told, 80 * chunk.length + 7);
    assert.match(await Deno.readTextFile(file), /the end$/);
    const sizes = [...Deno.readDirSync(folder)].map(({ name }) =>
      [name, Deno.statSync(join(folder, name))] as const
    );
    assert.deepEqual(sizes.map(([name]) => name).sort(), ["log", "log.1"]);
    for (const [name, { size, mode }] of sizes) {
      assert.ok(size <= 1024 * 1024 + chunk.length, `${name} has ${size} bytes`);
      assert.equal(mode! & 0o777, 0o600);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("keepLog: reads on when nothing can be written", async () => {
  let read = 0;
  const stream = ReadableStream.from([new Uint8Array(10), new Uint8Array(10)]);
  await keepLog(stream, "/dev/null/no/such/file", (text) => void (read += text.length));
  assert.equal(read, 20);
});
