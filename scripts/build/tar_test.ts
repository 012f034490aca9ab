import assert from "node:assert/strict";
import { join } from "node:path";
import { tarArchive } from "./tar.ts";

const text = (value: string) => new TextEncoder().encode(value);

Deno.test("tarArchive: what the tar command makes of it", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const files = [
      { path: "run", bytes: text("#!/bin/sh\n"), mode: 0o700 },
      { path: "a/b/empty", bytes: text(""), mode: 0o600 },
      { path: "a/exact", bytes: new Uint8Array(1024).fill(7), mode: 0o600 },
      { path: "n".repeat(100), bytes: text("long"), mode: 0o600 },
    ];
    Deno.writeFileSync(join(folder, "x.tar"), tarArchive(files, 978_307_200));
    const { code, stderr } = await new Deno.Command("tar", { args: ["-xof", "x.tar"], cwd: folder }).output();
    assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
    for (const { path, bytes, mode } of files) {
      assert.deepEqual(Deno.readFileSync(join(folder, path)), bytes);
      const stat = Deno.statSync(join(folder, path));
      assert.equal(stat.mode! & 0o700, mode);
      assert.equal(stat.mtime!.getTime(), 978_307_200_000);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("tarArchive: the same files give the same bytes", () => {
  const files = [{ path: "x", bytes: text("y"), mode: 0o600 }];
  assert.deepEqual(tarArchive(files, 1), tarArchive(files, 1));
});

Deno.test("tarArchive: a path that does not fit is refused", () => {
  for (const path of ["n".repeat(101), "ä"]) {
    assert.throws(() => tarArchive([{ path, bytes: text(""), mode: 0o600 }], 1), RangeError);
  }
});
