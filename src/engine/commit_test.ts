import assert from "node:assert/strict";
import { join } from "node:path";
import { commitOf } from "./commit.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";

const TABLE: [name: string, files: Record<string, string>, expected: string | undefined][] = [
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": `${SHA}\n` }, SHA],
  ["a commit checked out by itself", { ".git/HEAD": `${SHA}\n` }, SHA],
  ["a packed branch", {
    ".git/HEAD": "ref: refs/heads/a/b\n",
    ".git/packed-refs": `# pack-refs with: peeled\n${
      SHA.replace("0", "f")
    } refs/heads/b\n${SHA} refs/heads/a/b\n`,
  }, SHA],
  ["a linked worktree", {
    ".git": "gitdir: main/.git/worktrees/w\n",
    "main/.git/worktrees/w/HEAD": "ref: refs/heads/w\n",
    "main/.git/worktrees/w/commondir": "../..\n",
    "main/.git/refs/heads/w": `${SHA}\n`,
  }, SHA],
  ["no commit yet", { ".git/HEAD": "ref: refs/heads/main\n" }, undefined],
  ["no Git", { "deno.json": "{}" }, undefined],
  ["a damaged HEAD", { ".git/HEAD": "x" }, undefined],
];

for (const [name, files, expected] of TABLE) {
  Deno.test(`commitOf: ${name}`, () => {
    const root = Deno.makeTempDirSync();
    try {
      for (const [path, text] of Object.entries(files)) {
        Deno.mkdirSync(join(root, path, ".."), { recursive: true });
        Deno.writeTextFileSync(join(root, path), text);
      }
      assert.equal(commitOf(root), expected);
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  });
}
