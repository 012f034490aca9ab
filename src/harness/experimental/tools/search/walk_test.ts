import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Gitignore } from "./gitignore.ts";
import { walk } from "./walk.ts";

/** A folder with these files; removed at the end of its block. */
function tree(files: Readonly<Record<string, string>>): { root: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), "beeuni-walk-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

// What is ignored is what `git check-ignore` said.
Deno.test("Gitignore: the last rule that fits decides", () => {
  const cases: [rules: string, path: string, isFolder: boolean, ignored: boolean | undefined][] = [
    ["*.log", "a/b.log", false, true],
    ["*.log\n!keep.log", "a/keep.log", false, false],
    ["!keep.log\n*.log", "keep.log", false, true],
    ["build/", "build", true, true],
    ["build/", "build", false, undefined],
    ["/build", "a/build", true, undefined],
    ["# a comment\n\\#file", "#file", false, true],
    ["\\!file", "!file", false, true],
    ["name  ", "name", false, true],
    ["name\\ ", "name ", false, true],
    ["a\r\nb\r\n", "a", false, true],
    ["\uFEFFa", "a", false, true],
    ["", "a", false, undefined],
    ["/\n!\n \n", "a", false, undefined],
    ["a\\", "a", false, undefined],
    ["docs/*.md", "docs/a.md", false, true],
    ["docs/*.md", "docs/x/a.md", false, undefined],
  ];
  for (const [rules, path, isFolder, ignored] of cases) {
    assert.equal(new Gitignore(rules).decides(path, isFolder), ignored, JSON.stringify([rules, path]));
  }
});

Deno.test("walk: rules of every folder, hidden files, links", () => {
  using made = tree({
    ".gitignore": "out/\n*.log\n",
    "a.ts": "",
    "a.log": "",
    "out/x": "",
    "sub/.gitignore": "!b.log\nlocal\n",
    "sub/b.log": "",
    "sub/local": "",
    "sub/.ignore": "c\n",
    "sub/c": "",
    "local": "",
    ".h/x": "",
    ".git/config": "",
    "sub/.git/x": "",
  });
  const { root } = made;
  symlinkSync("/", join(root, "to-everything"));
  symlinkSync("a.ts", join(root, "link.ts"));
  const all = (start: string, hidden: boolean) => [...walk({ root, start, hidden })];
  assert.deepEqual(all(root, false), ["a.ts", "local", "sub/b.log"]);
  assert.deepEqual(all(root, true), [
    ".gitignore",
    ".h/x",
    "a.ts",
    "local",
    "sub/.gitignore",
    "sub/.ignore",
    "sub/b.log",
  ]);
  assert.deepEqual(all(join(root, "sub"), false), ["b.log"]);
  assert.deepEqual(all(join(root, "out"), false), ["x"], "a folder that is named itself is searched");
  assert.deepEqual(all(join(root, "nowhere"), false), []);
});
