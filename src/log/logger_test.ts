import assert from "node:assert/strict";
import { createLogger, type LoggerOptions } from "./logger.ts";

const NOW = new Date("2026-01-02T03:04:05.678Z");

/** A logger whose writes are kept, and the text they make. */
function kept(options: LoggerOptions = {}): { log: ReturnType<typeof createLogger>; writes: string[] } {
  const writes: string[] = [];
  const write = (bytes: Uint8Array) => {
    writes.push(new TextDecoder().decode(bytes));
    return Promise.resolve(bytes.length);
  };
  return { log: createLogger({ write, now: () => NOW, ...options }), writes };
}

Deno.test("logger: a text line has time, level, message and fields", async () => {
  const { log, writes } = kept();
  log.info("call", { tool: "echo", ms: 1.5, note: "two words", gone: undefined, list: [{ a: 1 }] });
  log.warn("line\nbreak \x1b[31m", { text: "a\nb" });
  log.debug("not at this level");
  await log.flush();
  assert.equal(
    writes.join(""),
    '2026-01-02T03:04:05.678Z info  call tool=echo ms=1.5 note="two words" list=[{"a":1}]\n' +
      '2026-01-02T03:04:05.678Z warn  line\\nbreak \\x1b[31m text="a\\nb"\n',
  );
});

Deno.test("logger: JSON lines have the same as keys", async () => {
  const { log, writes } = kept({ json: true, level: "debug" });
  log.debug("a", { tool: "echo" });
  log.error("b\n", { reason: "two\nlines" });
  await log.flush();
  const lines = writes.join("").trimEnd().split("\n").map((line) => JSON.parse(line));
  const time = NOW.toISOString();
  assert.deepEqual(lines, [
    { time, level: "debug", message: "a", tool: "echo" },
    { time, level: "error", message: "b\n", reason: "two\nlines" },
  ]);
});

Deno.test("logger: lines of one burst are one write, and short writes are finished", async () => {
  const { log, writes } = kept();
  for (let index = 0; index < 100; index++) log.info(`line ${index}`);
  await log.flush();
  assert.equal(writes.length, 1);
  assert.equal(writes[0]?.match(/\n/g)?.length, 100);

  let text = "";
  const slow = createLogger({
    now: () => NOW,
    write: (bytes) => {
      text += new TextDecoder().decode(bytes.subarray(0, 7));
      return Promise.resolve(Math.min(7, bytes.length));
    },
  });
  slow.info("a message longer than seven bytes");
  await slow.flush();
  assert.equal(text, "2026-01-02T03:04:05.678Z info  a message longer than seven bytes\n");
});

Deno.test("logger: what nobody reads is dropped beyond a bound and counted", async () => {
  const first = Promise.withResolvers<void>();
  const writes: string[] = [];
  const log = createLogger({
    maxPending: 100,
    now: () => NOW,
    write: async (bytes) => {
      if (writes.push(new TextDecoder().decode(bytes)) === 1) await first.promise;
      return bytes.length;
    },
  });
  log.info("first");
  await new Promise((resolve) => setTimeout(resolve));
  for (let index = 0; index < 50; index++) log.info(`line ${index}`);
  first.resolve();
  await log.flush();
  const lines = writes.join("").trimEnd().split("\n");
  const told = lines.find((line) => line.includes("dropped"));
  const dropped = Number(/dropped=(\d+)/.exec(told ?? "")?.[1]);
  assert.equal(lines.length - 2 + dropped, 50);
  assert.ok(dropped > 40, String(told));
});

Deno.test("logger: a reader that is gone stops nobody", async () => {
  const log = createLogger({ write: () => Promise.reject(new Error("EPIPE")) });
  log.info("one");
  await log.flush();
  log.info("two");
  await log.flush();
});

Deno.test("logger: lines of some turns are one write; a warning takes what stands before it along at once", async () => {
  const turn = () => Promise.resolve().then(() => {}).then(() => {});
  const { log, writes } = kept();
  log.info("one");
  await turn();
  log.info("two");
  await log.flush();
  assert.equal(writes.length, 1);
  log.info("three");
  await turn();
  log.warn("four");
  await turn();
  assert.equal(writes.length, 2);
  assert.match(writes[1] ?? "", /three\n.*four\n$/);
});

Deno.test("logger: a line is written without a flush", async () => {
  const written = Promise.withResolvers<string>();
  const log = createLogger({
    write: (bytes) => (written.resolve(new TextDecoder().decode(bytes)), Promise.resolve(bytes.length)),
  });
  log.info("alone");
  assert.match(await written.promise, /alone\n$/);
});
