import assert from "node:assert/strict";
import { join } from "node:path";
import { readDaemonFile, removeDaemonFile, writeDaemonFile } from "./daemon_file.ts";
import { isDaemonRunning, LOCK_FILE, lockDaemon } from "./daemon_lock.ts";
import { temporaryFolder } from "./testing/temporary_folder.ts";

Deno.test("only one daemon per project", async () => {
  await using folder = await temporaryFolder();
  assert.equal(await isDaemonRunning(folder.path), false);
  {
    using _held = await lockDaemon(folder.path);
    assert.equal(await isDaemonRunning(folder.path), true);
    await assert.rejects(lockDaemon(folder.path), {
      code: "daemon_running",
      message: "a daemon runs for this project already.",
    });
    await writeDaemonFile(folder.path, { url: "http://127.0.0.1:5", pid: 77, version: "1" });
    await assert.rejects(lockDaemon(folder.path), {
      message: "a daemon runs for this project already at http://127.0.0.1:5 (process 77).",
      details: { url: "http://127.0.0.1:5", pid: 77 },
    });
  }
  assert.equal(await isDaemonRunning(folder.path), false);
  using _again = await lockDaemon(folder.path);
});

Deno.test("asking whether a daemon runs keeps none from starting", async () => {
  await using folder = await temporaryFolder();
  (await lockDaemon(folder.path))[Symbol.dispose]();
  using asking = await Deno.open(join(folder.path, LOCK_FILE));
  await asking.lock(false);
  assert.equal(await isDaemonRunning(folder.path), false, "another question is no daemon");
  setTimeout(() => asking.unlockSync(), 60);
  using _held = await lockDaemon(folder.path);
});

Deno.test("daemon.json is written whole, private, and removed only by its own process", async () => {
  await using folder = await temporaryFolder();
  const info = { url: "http://127.0.0.1:4000", pid: 12, version: "1.2.3" };
  await writeDaemonFile(folder.path, info);
  assert.deepEqual(await readDaemonFile(folder.path), info);
  assert.equal((await Deno.stat(join(folder.path, "daemon.json"))).mode! & 0o777, 0o600);
  await removeDaemonFile(folder.path, 13);
  assert.deepEqual(await readDaemonFile(folder.path), info);
  await removeDaemonFile(folder.path, 12);
  assert.equal(await readDaemonFile(folder.path), undefined);
  await removeDaemonFile(folder.path, 12);
});

Deno.test("a daemon.json that is none of ours says nothing", async () => {
  await using folder = await temporaryFolder();
  for (
    const text of [
      "",
      "{",
      "null",
      "[]",
      "{}",
      '{"url":"ftp://x","pid":1,"version":"1"}',
      '{"url":"http://x","pid":"1","version":"1"}',
    ]
  ) {
    await Deno.writeTextFile(join(folder.path, "daemon.json"), text);
    assert.equal(await readDaemonFile(folder.path), undefined, text);
  }
});
