import assert from "node:assert/strict";
import { join } from "node:path";
import { prepareStateFolder } from "./state_folder.ts";
import { temporaryFolder } from "./testing/temporary_folder.ts";
import { writeWhole } from "./whole_file.ts";

Deno.test("a missing state directory is made for its owner alone", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a", "b");
  await prepareStateFolder(path);
  await prepareStateFolder(path);
  assert.equal((await Deno.stat(path)).mode! & 0o777, 0o700);
});

Deno.test("a directory that everybody can write, or a file, is refused by name", async () => {
  await using folder = await temporaryFolder();
  const open = join(folder.path, "open");
  await Deno.mkdir(open);
  await Deno.chmod(open, 0o777);
  await assert.rejects(prepareStateFolder(open), {
    code: "unwritable",
    message: `the state directory ${open} can be written by everybody.`,
  });
  const file = join(folder.path, "file");
  await Deno.writeTextFile(file, "");
  await assert.rejects(prepareStateFolder(file), { code: "unwritable" });
  await assert.rejects(prepareStateFolder(join(file, "below")), { code: "unwritable" });
});

Deno.test("a file is written whole or not at all, and nothing is left beside it", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "file");
  await writeWhole(path, "one");
  await writeWhole(path, "two");
  assert.equal(await Deno.readTextFile(path), "two");
  const taken = join(folder.path, "taken");
  await Deno.mkdir(join(taken, "full"), { recursive: true });
  await assert.rejects(writeWhole(taken, "x"), { code: "unwritable" });
  await assert.rejects(writeWhole(join(folder.path, "none", "file"), "x"), {
    code: "unwritable",
    message: `${join(folder.path, "none", "file")} could not be written: no such file or directory.`,
  });
  assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name).sort(), ["file", "taken"]);
});
