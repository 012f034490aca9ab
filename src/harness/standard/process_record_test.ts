import assert from "node:assert/strict";
import { join } from "node:path";
import { processIdentity } from "./process_identity.ts";
import { endRecordedProcess, recordProcess } from "./process_record.ts";

async function withSleeper(
  fn: (pid: number, file: string, ended: Promise<Deno.CommandStatus>) => Promise<void>,
) {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-process-record-" });
  const child = new Deno.Command("sleep", { args: ["600"], stdin: "null", stdout: "null", stderr: "null" })
    .spawn();
  try {
    await fn(child.pid, join(folder, "process.json"), child.status);
  } finally {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await child.status;
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("endRecordedProcess: ends the very process that was written down", async () => {
  await withSleeper(async (pid, file, ended) => {
    await recordProcess(file, pid);
    assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
    assert.equal(await endRecordedProcess(file), pid);
    assert.equal((await ended).signal, "SIGTERM");
    assert.equal(await endRecordedProcess(file), undefined, "once");
  });
});

Deno.test("endRecordedProcess: never one that only has its id", async () => {
  await withSleeper(async (pid, file) => {
    const own = await processIdentity(pid);
    for (const identity of [await processIdentity(Deno.pid), "", `${own} `, 7]) {
      await Deno.writeTextFile(file, JSON.stringify({ pid, identity }));
      assert.equal(await endRecordedProcess(file), undefined);
      assert.equal(await processIdentity(pid), own, "it still runs");
    }
  });
});

Deno.test("endRecordedProcess: a record that is none", async () => {
  await withSleeper(async (_, file) => {
    for (
      const text of ["", "[]", "null", '{"pid":-1,"identity":"x"}', '{"pid":0,"identity":"x"}', '{"pid":"1"}']
    ) {
      await Deno.writeTextFile(file, text);
      assert.equal(await endRecordedProcess(file), undefined, text);
    }
  });
});

Deno.test("processIdentity: stays the same, differs between processes, ends with the process", async () => {
  await withSleeper(async (pid, _, ended) => {
    const identity = await processIdentity(pid);
    assert.ok(identity);
    assert.equal(await processIdentity(pid), identity);
    assert.notEqual(await processIdentity(Deno.pid), identity);
    Deno.kill(pid, "SIGKILL");
    await ended;
    assert.equal(await processIdentity(pid), undefined);
  });
});
