import assert from "node:assert/strict";
import { writeSpillFile } from "./spill_file.ts";

async function inFolder(test: (root: string) => void): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    test(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
const bytes = new TextEncoder().encode("whole\n");
const spill = (folder: string, json = false) => ({ folder, tool: "lookup_order", json, bytes });
const mode = (path: string) => (Deno.lstatSync(path).mode ?? 0) & 0o777;

Deno.test("writeSpillFile: makes private folders and a private file, named after the tool", () =>
  inFolder((root) => {
    const path = writeSpillFile(spill(`${root}/beeuni-tool-output/s1`));
    assert.match(
      path.slice(root.length),
      /^\/beeuni-tool-output\/s1\/lookup_order-\d{8}T\d{6}-[0-9a-f]{8}\.txt$/,
    );
    assert.equal(Deno.readTextFileSync(path), "whole\n");
    assert.equal(mode(path), 0o600);
    assert.equal(mode(`${root}/beeuni-tool-output`), 0o700);
    assert.equal(mode(`${root}/beeuni-tool-output/s1`), 0o700);
  }));

Deno.test("writeSpillFile: JSON goes to a .json file, and each output to a file of its own", () =>
  inFolder((root) => {
    const paths = [1, 2, 3].map(() => writeSpillFile(spill(`${root}/a/b`, true)));
    assert.equal(new Set(paths).size, 3);
    assert.ok(paths.every((path) => path.endsWith(".json")));
  }));

Deno.test("writeSpillFile: an open folder is closed", () =>
  inFolder((root) => {
    Deno.mkdirSync(`${root}/a/b`, { recursive: true, mode: 0o755 });
    writeSpillFile(spill(`${root}/a/b`));
    assert.equal(mode(`${root}/a`), 0o700);
    assert.equal(mode(`${root}/a/b`), 0o700);
  }));

for (const level of ["a", "a/b"]) {
  Deno.test(`writeSpillFile: a link at ${level} is refused, and nothing is written behind it`, () =>
    inFolder((root) => {
      Deno.mkdirSync(`${root}/elsewhere`);
      if (level === "a/b") Deno.mkdirSync(`${root}/a`);
      Deno.symlinkSync(`${root}/elsewhere`, `${root}/${level}`);
      assert.throws(() => writeSpillFile(spill(`${root}/a/b`)), new Error(`${root}/${level} is a link`));
      assert.deepEqual([...Deno.readDirSync(`${root}/elsewhere`)], []);
    }));

  Deno.test(`writeSpillFile: a file at ${level} is refused`, () =>
    inFolder((root) => {
      if (level === "a/b") Deno.mkdirSync(`${root}/a`);
      Deno.writeTextFileSync(`${root}/${level}`, "");
      assert.throws(
        () => writeSpillFile(spill(`${root}/a/b`)),
        new Error(`${root}/${level} is not a folder`),
      );
    }));
}

Deno.test("writeSpillFile: says why it could not, without paths and numbers of the system", () =>
  inFolder((root) => {
    assert.throws(() => writeSpillFile(spill(`${root}/none/a/b`)), /^Error: No such file or directory$/);
  }));
