import assert from "node:assert/strict";
import { TempProject } from "../testing/temp_project.ts";
import { type FileReplacement, replaceFiles } from "./replace_files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Every file below the project, by path, with its text. */
function contents(project: TempProject, folder = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(project.path(folder))) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory) Object.assign(found, { [`${path}/`]: "" }, contents(project, path));
    else found[path] = Deno.readTextFileSync(project.path(path));
  }
  return found;
}

function file(project: TempProject, name: string, text: string, expected?: string): FileReplacement {
  return {
    path: project.path(name),
    name,
    bytes: bytes(text),
    ...(expected !== undefined && { expected: expected === "any" ? "any" : bytes(expected) }),
  };
}

Deno.test("replaceFiles makes new files with their folders, replaces old ones, keeps their mode", () => {
  using project = new TempProject({ "beeuni.yaml": "old", "over.ts": "x" });
  Deno.chmodSync(project.path("beeuni.yaml"), 0o640);
  replaceFiles([
    file(project, "tools/deep/x.ts", "module"),
    file(project, "over.ts", "y", "any"),
    file(project, "beeuni.yaml", "new", "old"),
  ]);
  assert.deepEqual(contents(project), {
    "tools/": "",
    "tools/deep/": "",
    "tools/deep/x.ts": "module",
    "over.ts": "y",
    "beeuni.yaml": "new",
  });
  assert.equal((Deno.statSync(project.path("beeuni.yaml")).mode ?? 0) & 0o777, 0o640);
});

Deno.test("replaceFiles writes all or nothing", () => {
  const cases: [
    what: string,
    code: string,
    message: string,
    last: (project: TempProject) => FileReplacement,
    hint?: string,
  ][] = [
    [
      "a file that must not exist",
      "file_exists",
      "taken.ts exists.",
      (project) => file(project, "taken.ts", "new"),
    ],
    [
      "a manifest that changed",
      "edit_refused",
      "beeuni.yaml was changed meanwhile: try again.",
      (project) => file(project, "beeuni.yaml", "new", "other"),
    ],
    [
      "a manifest that is gone",
      "edit_refused",
      "gone.yaml is gone: nothing was changed.",
      (project) => file(project, "gone.yaml", "new", "old"),
    ],
    [
      "a folder that is a file",
      "unwritable",
      "taken.ts/x.ts can't be written: nothing was changed.",
      (project) => file(project, "taken.ts/x.ts", "new"),
      "Move the file that is in place of its folder.",
    ],
    [
      "a file that is a folder",
      "unwritable",
      "folder can't be written: nothing was changed.",
      (project) => file(project, "folder", "new", "any"),
      "Move the folder that has its name.",
    ],
    [
      "a name that is too long",
      "unwritable",
      `${"x".repeat(300)} can't be written: nothing was changed.`,
      (project) => file(project, "x".repeat(300), "new"),
      "The system says: File name too long (os error 36)",
    ],
  ];
  for (const [what, code, message, last, hint] of cases) {
    using project = new TempProject({ "beeuni.yaml": "old", "taken.ts": "taken", "folder/x": "" });
    const before = contents(project);
    const files = [
      file(project, "tools/x.ts", "module"),
      file(project, "taken.ts", "changed", "any"),
      last(project),
    ];
    assert.throws(() => replaceFiles(files), { code, message, ...(hint !== undefined && { hint }) }, what);
    assert.deepEqual(contents(project), before, what);
  }
});

Deno.test("replaceFiles puts back what it had replaced when a later file can't be put in place", () => {
  using project = new TempProject({ "old.ts": "old", "beeuni.yaml": "manifest" });
  // The same new path twice: both are staged, and the second can't be linked any more.
  const files = [
    file(project, "old.ts", "new", "any"),
    file(project, "tools/x.ts", "one"),
    file(project, "tools/x.ts", "two"),
  ];
  assert.throws(() => replaceFiles(files), { code: "file_exists", message: "tools/x.ts exists." });
  assert.deepEqual(contents(project), { "old.ts": "old", "beeuni.yaml": "manifest" });
});

Deno.test("replaceFiles does not write through a link", () => {
  using project = new TempProject({ "../target": "safe", "link.ts": { link: "../target" } });
  replaceFiles([file(project, "link.ts", "new", "any")]);
  assert.equal(Deno.readTextFileSync(project.path("../target")), "safe");
  assert.equal(Deno.readTextFileSync(project.path("link.ts")), "new");
  const { mode } = Deno.lstatSync(project.path("link.ts"));
  assert.equal((mode ?? 0) & 0o777, 0o666 & ~Deno.umask(), "a link's mode is not the file's");
});

Deno.test("replaceFiles removes what a killed process left beside the file, once it is old, and nothing else", () => {
  const id = "0b2b6d6e-8d4c-4f0e-9f5e-0d5f3c0f5a11";
  using project = new TempProject({
    "beeuni.yaml": "old",
    [`beeuni.yaml.${id}.tmp`]: "left behind",
    [`beeuni.yml.${id}.tmp`]: "of another file",
    "beeuni.yaml.tmp": "the user's",
    [`beeuni.yaml.${id}.tmp.bak`]: "the user's",
  });
  const before = contents(project);
  replaceFiles([file(project, "beeuni.yaml", "new", "old")]);
  assert.deepEqual(contents(project), { ...before, "beeuni.yaml": "new" }, "its process may still be there");
  const now = Date.now;
  try {
    Date.now = () => now() + 120_000;
    replaceFiles([file(project, "beeuni.yaml", "newer", "new")]);
  } finally {
    Date.now = now;
  }
  const { [`beeuni.yaml.${id}.tmp`]: _left, ...rest } = before;
  assert.deepEqual(contents(project), { ...rest, "beeuni.yaml": "newer" });
});
