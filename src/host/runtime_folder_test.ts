import assert from "node:assert/strict";
import { join } from "node:path";
import { removeStaleRuntimeFolders, RuntimeFolder } from "./runtime_folder.ts";

Deno.test("RuntimeFolder: private folders that go with it", () => {
  const tmp = Deno.makeTempDirSync();
  try {
    const runtime = new RuntimeFolder(tmp);
    const [one, two] = [runtime.folder("s"), runtime.folder("t")];
    assert.notEqual(one, two);
    for (const path of [runtime.path, one, two]) assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o700);
    Deno.writeTextFileSync(join(two, "left by a tool"), "");
    runtime[Symbol.dispose]();
    assert.deepEqual([...Deno.readDirSync(tmp)], []);
    runtime[Symbol.dispose]();
  } finally {
    Deno.removeSync(tmp, { recursive: true });
  }
});

Deno.test("removeStaleRuntimeFolders: those of dead hosts, when they are old", () => {
  const tmp = Deno.makeTempDirSync();
  try {
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
    // Far above any number the system gives.
    const dead = 2 ** 30;
    const make = (name: string, time?: Date) => {
      Deno.mkdirSync(join(tmp, name));
      if (time !== undefined) Deno.utimeSync(join(tmp, name), time, time);
    };
    make(`beeuni-run-${dead}-a`, old);
    make(`beeuni-run-${dead}-new`);
    make(`beeuni-run-${Deno.pid}-b`, old);
    make("beeuni-run-x-c", old);
    make("other", old);
    // One of this machine's present life is known to be dead whatever its age.
    const own = new RuntimeFolder(tmp);
    make(`beeuni-run-${dead}-ours`);
    make(`beeuni-run-${dead}-theirs`);
    Deno.copyFileSync(join(own.path, "owner"), join(tmp, `beeuni-run-${dead}-ours`, "owner"));
    Deno.writeTextFileSync(join(tmp, `beeuni-run-${dead}-theirs`, "owner"), "another");
    own[Symbol.dispose]();
    Deno.symlinkSync("other", join(tmp, `beeuni-run-${dead}-link`));
    removeStaleRuntimeFolders(tmp);
    assert.deepEqual(
      [...Deno.readDirSync(tmp)].map((entry) => entry.name).sort(),
      [
        `beeuni-run-${dead}-link`,
        `beeuni-run-${dead}-new`,
        `beeuni-run-${dead}-theirs`,
        `beeuni-run-${Deno.pid}-b`,
        "beeuni-run-x-c",
        "other",
      ].sort(),
    );
  } finally {
    Deno.removeSync(tmp, { recursive: true });
  }
});
