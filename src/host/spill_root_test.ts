import assert from "node:assert/strict";
import { join } from "node:path";
import {
  isSpillFile,
  makePrivate,
  makeSpillRoot,
  SPILL_MAX_AGE_MS,
  spillFolder,
  sweepSpillRoot,
} from "./spill_root.ts";

function temp(): { path: string } & Disposable {
  const path = Deno.makeTempDirSync();
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}
const mode = (path: string) => (Deno.lstatSync(path).mode ?? 0) & 0o777;

Deno.test("makeSpillRoot: a private folder of ours, never through a planted link", () => {
  using tmp = temp();
  const root = join(tmp.path, "beeuni-tool-output");
  assert.equal(makeSpillRoot(tmp.path), root);
  assert.equal(mode(root), 0o700);
  Deno.chmodSync(root, 0o755);
  assert.equal(makeSpillRoot(tmp.path), root);
  assert.equal(mode(root), 0o700, "too open a folder of ours is closed");

  Deno.removeSync(root);
  const target = join(tmp.path, "target");
  Deno.mkdirSync(target, { mode: 0o755 });
  Deno.symlinkSync(target, root);
  const other = `${root}-${Deno.uid()}`;
  assert.equal(makeSpillRoot(tmp.path), other);
  assert.equal(mode(other), 0o700);
  assert.equal(mode(target), 0o755, "what the link leads to is not touched");
  assert.equal(makePrivate(join(tmp.path, "no", "parent"), Deno.uid() ?? 0), false);
});

Deno.test("spillFolder: a name of its own for every session", () => {
  const cases: [session: string, name: string][] = [
    ["", "no-session"],
    ["s-1", "s-1"],
    ["a.b_c", "a.b_c"],
    [".", "%2E"],
    ["..", "%2E%2E"],
    ["../x", "%2E%2E%2Fx"],
  ];
  for (const [session, name] of cases) assert.equal(spillFolder("/tmp/o", session), `/tmp/o/${name}`);
});

Deno.test("sweepSpillRoot: files older than 7 days, and their folder; nothing through a link", async () => {
  using tmp = temp();
  const now = Date.now();
  const old = new Date(now - SPILL_MAX_AGE_MS - 1_000);
  const file = (path: string, time?: Date) => {
    Deno.mkdirSync(join(tmp.path, path, ".."), { recursive: true });
    Deno.writeTextFileSync(join(tmp.path, path), "");
    if (time !== undefined) Deno.utimeSync(join(tmp.path, path), time, time);
  };
  file("o/a/old.txt", old);
  file("o/a/new.txt");
  file("o/b/old.txt", old);
  file("elsewhere/old.txt", old);
  Deno.mkdirSync(join(tmp.path, "o/gone"));
  Deno.utimeSync(join(tmp.path, "o/gone"), old, old);
  Deno.symlinkSync("../elsewhere", join(tmp.path, "o/link"));
  Deno.symlinkSync("../../elsewhere/old.txt", join(tmp.path, "o/a/link.txt"));
  await sweepSpillRoot(join(tmp.path, "o"), now);
  const names = (path: string) =>
    [...Deno.readDirSync(join(tmp.path, path))].map((entry) => entry.name).sort();
  assert.deepEqual(names("o"), ["a", "b", "link"]);
  assert.deepEqual(names("o/a"), ["link.txt", "new.txt"]);
  assert.deepEqual(names("o/b"), []);
  assert.deepEqual(names("elsewhere"), ["old.txt"]);
  // A root that is itself a link is not swept.
  Deno.symlinkSync("elsewhere", join(tmp.path, "planted"));
  Deno.mkdirSync(join(tmp.path, "elsewhere/s"));
  file("elsewhere/s/old.txt", old);
  await sweepSpillRoot(join(tmp.path, "planted"), now);
  assert.deepEqual(names("elsewhere/s"), ["old.txt"]);
  await sweepSpillRoot(join(tmp.path, "not there"), now);
});

Deno.test("isSpillFile: a file of this session's folder", () => {
  const cases: [file: string, expected: boolean][] = [
    ["/tmp/o/s/echo-20260102T030405-ab12.txt", true],
    ["/tmp/o/s2/echo.txt", false],
    ["/tmp/o/s", false],
    ["/tmp/o/s/", false],
    ["/tmp/o/s/../s2/echo.txt", false],
    ["/tmp/o/s/x/echo.txt", false],
    ["/etc/passwd", false],
    ["", false],
  ];
  for (const [file, expected] of cases) assert.equal(isSpillFile(file, "/tmp/o/s"), expected, file);
});
