import assert from "node:assert/strict";
import { join } from "node:path";
import { daemonKey, KEY_FILE } from "./key_file.ts";
import { temporaryFolder } from "./testing/temporary_folder.ts";

Deno.test("a new key is 64 hex digits in a file only its owner can read, and stays", async () => {
  await using folder = await temporaryFolder();
  const made = await daemonKey(folder.path);
  assert.match(made.key, /^[0-9a-f]{64}$/);
  assert.equal(made.replaced, undefined);
  const path = join(folder.path, KEY_FILE);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
  assert.equal((await Deno.readTextFile(path)).trim(), made.key);
  assert.deepEqual(await daemonKey(folder.path), { key: made.key });
  assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), [KEY_FILE]);
});

Deno.test("a key that can't be trusted is replaced, and why is said", async (t) => {
  const good = "0123456789abcdef".repeat(4);
  const cases: [string, (path: string) => void, string][] = [
    ["readable by the group", (path) => write(path, good, 0o640), "other users could read or write it"],
    ["writable by all", (path) => write(path, good, 0o602), "other users could read or write it"],
    ["empty", (path) => write(path, ""), "it was not 64 hex digits"],
    ["short", (path) => write(path, good.slice(1)), "it was not 64 hex digits"],
    ["upper case", (path) => write(path, good.toUpperCase()), "it was not 64 hex digits"],
    ["two lines", (path) => write(path, `${good}\n${good}`), "it was not 64 hex digits"],
    ["huge", (path) => write(path, good.repeat(10_000)), "it was not 64 hex digits"],
    [
      "no text",
      (path) => Deno.writeFileSync(path, new Uint8Array([0xff, 0xfe]), { mode: 0o600 }),
      "it was not 64 hex digits",
    ],
    ["a link", (path) => {
      write(`${path}.elsewhere`, good);
      Deno.symlinkSync(`${path}.elsewhere`, path);
    }, "it was not a regular file"],
  ];
  for (const [name, prepare, replaced] of cases) {
    await t.step(name, async () => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, KEY_FILE);
      prepare(path);
      const made = await daemonKey(folder.path);
      assert.equal(made.replaced, replaced);
      assert.match(made.key, /^[0-9a-f]{64}$/);
      assert.notEqual(made.key, good);
      const info = await Deno.lstat(path);
      assert.equal(info.isFile, true);
      assert.equal(info.mode! & 0o777, 0o600);
      assert.equal((await Deno.readTextFile(path)).trim(), made.key);
      if (name === "a link") assert.equal(await Deno.readTextFile(`${path}.elsewhere`), good, "left alone");
    });
  }
});

Deno.test("a folder in its place is an error, not a loss", async () => {
  await using folder = await temporaryFolder();
  await Deno.mkdir(join(folder.path, KEY_FILE));
  await assert.rejects(daemonKey(folder.path), { code: "unwritable" });
});

function write(path: string, text: string, mode = 0o600): void {
  Deno.writeTextFileSync(path, text);
  Deno.chmodSync(path, mode);
}
