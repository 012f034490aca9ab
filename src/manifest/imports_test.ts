import assert from "node:assert/strict";
import { readManifest } from "./read.ts";
import { TempProject, type TempProjectFiles } from "./testing/temp_project.ts";

/** What a manifest reads, and `FILE:LINE:COL code path: message` of its issues. */
function read(files: TempProjectFiles): { files: string[]; issues: string[]; incomplete: boolean } {
  using project = new TempProject(files);
  const manifest = readManifest({ project: project.root });
  const issues = manifest.issues.map(({ file, line, column, code, path, message }) =>
    `${file}:${line}:${column} ${code} ${path}: ${message}`
  );
  return { files: manifest.files, issues, incomplete: manifest.incomplete ?? false };
}

Deno.test("imports: the importing file first, then its imports in order, folders sorted by path", () => {
  assert.deepEqual(
    read({
      "beeuni.yaml": "imports: [z.yaml, parts, ./a.yml]\n",
      "z.yaml": "imports: [deep/y.yaml]\n",
      "deep/y.yaml": "",
      "a.yml": "",
      "parts/b.yaml": "",
      "parts/a/2.yml": "",
      "parts/a/10.yaml": "",
      "parts/B.yaml": "",
      "parts/notes.txt": "not: [yaml",
    }),
    {
      files: [
        "beeuni.yaml",
        "z.yaml",
        "deep/y.yaml",
        "parts/B.yaml",
        "parts/a/10.yaml",
        "parts/a/2.yml",
        "parts/b.yaml",
        "a.yml",
      ],
      issues: [],
      incomplete: false,
    },
  );
});

Deno.test("imports: a file reachable twice is read once, by whatever name", () => {
  assert.deepEqual(
    read({
      "beeuni.yaml": "imports: [a.yaml, b.yaml, same.yaml]\n",
      "a.yaml": "imports: [c.yaml]\n",
      "b.yaml": "imports: [c.yaml, ./c.yaml]\n",
      "c.yaml": "agents: {x: {}}\n",
      "same.yaml": { link: "c.yaml" },
    }),
    { files: ["beeuni.yaml", "a.yaml", "c.yaml", "b.yaml"], issues: [], incomplete: false },
  );
});

Deno.test("imports: a cycle is printed", () => {
  const cases: [files: TempProjectFiles, issue: string][] = [
    [
      { "beeuni.yaml": "imports:\n  - beeuni.yaml\n" },
      "beeuni.yaml:2:5 import_cycle imports.0: makes a cycle: beeuni.yaml → beeuni.yaml. Remove one of these imports.",
    ],
    [
      {
        "beeuni.yaml": "imports: [a.yaml]\n",
        "a.yaml": "imports: [b.yaml]\n",
        "b.yaml": "imports: [a.yaml]\n",
      },
      "b.yaml:1:11 import_cycle imports.0: makes a cycle: a.yaml → b.yaml → a.yaml. Remove one of these imports.",
    ],
    [
      { "beeuni.yaml": "imports: [a.yaml]\n", "a.yaml": "imports: [beeuni.yaml]\n" },
      "a.yaml:1:11 import_cycle imports.0: makes a cycle: beeuni.yaml → a.yaml → beeuni.yaml. Remove one of these imports.",
    ],
    [
      { "beeuni.yaml": "imports: [parts]\n", "parts/a.yaml": "imports: [parts]\n" },
      "parts/a.yaml:1:11 import_cycle imports.0: makes a cycle: parts/a.yaml → parts/a.yaml. Remove one of these imports.",
    ],
  ];
  for (const [files, issue] of cases) {
    const found = read(files);
    assert.deepEqual([found.issues, found.incomplete], [[issue], true]);
  }
});

Deno.test("imports: 8 files deep and 200 in all", () => {
  const chain: TempProjectFiles = { "beeuni.yaml": "imports: [f1.yaml]\n", "f9.yaml": "" };
  for (let depth = 1; depth <= 8; depth++) chain[`f${depth}.yaml`] = `imports: [f${depth + 1}.yaml]\n`;
  const deep = read(chain);
  assert.equal(deep.files.length, 9);
  assert.deepEqual(deep.issues, [
    'f8.yaml:1:11 import_depth imports.0: "f9.yaml" is more than 8 imports away from beeuni.yaml.',
  ]);
  assert.deepEqual(read({ ...chain, "f8.yaml": "" }).issues, []);

  const many: TempProjectFiles = { "beeuni.yaml": "imports:\n  - parts\n  - more\n", "more/x.yaml": "" };
  for (let index = 0; index < 199; index++) many[`parts/${1000 + index}.yaml`] = "";
  const full = read(many);
  assert.equal(full.files.length, 200);
  assert.deepEqual(full.issues, [
    'beeuni.yaml:3:5 import_count imports.1: A manifest may have at most 200 files: "more/x.yaml" is one too many.',
  ]);
  assert.deepEqual(read({ ...many, "beeuni.yaml": "imports: [parts]\n" }).issues, []);
});

Deno.test("imports: what can't be imported", () => {
  const cases: [imports: string, problem: string][] = [
    ["missing.yaml", 'file_missing imports.0: "missing.yaml" does not exist in the project files.'],
    ["notes.txt", 'file_kind imports.0: "notes.txt" is neither a .yaml or .yml file nor a folder.'],
    ["dangling.yaml", 'file_missing imports.0: "dangling.yaml" does not exist in the project files.'],
    [
      "outside.yaml",
      'file_symlink imports.0: "outside.yaml" is reached through a symlink that leaves the repository.',
    ],
    [
      "way/x.yaml",
      'file_symlink imports.0: "way/x.yaml" is reached through a symlink that leaves the repository.',
    ],
    ["way", 'file_symlink imports.0: "way" is reached through a symlink that leaves the repository.'],
    [
      "parts",
      'file_symlink imports.0: "parts/out.yaml" is reached through a symlink that leaves the repository.',
    ],
  ];
  for (const [path, problem] of cases) {
    const { issues, incomplete } = read({
      "beeuni.yaml": `imports: [${path}]\n`,
      "notes.txt": "",
      "../x.yaml": "agents: {}\n",
      "outside.yaml": { link: "../x.yaml" },
      "dangling.yaml": { link: "nothing.yaml" },
      "way": { link: ".." },
      "parts/out.yaml": { link: "../../x.yaml" },
      "parts/in.yaml": "",
    });
    assert.deepEqual([issues, incomplete], [[`beeuni.yaml:1:11 ${problem}`], true], path);
  }
});

Deno.test("imports: an imported file may not have the root file's keys, and unknown ones are ignored", () => {
  assert.deepEqual(
    read({
      "beeuni.yaml": "imports: [a.yaml]\n",
      "a.yaml":
        "agents: {x: {}}\nconnectors: {}\ntriggers: []\nx: 1\nenv: {}\ndefault_agent: x\nharnesses:\n",
    }).issues,
    ["env", "default_agent", "harnesses"].map((key, index) =>
      `a.yaml:${
        index + 5
      }:1 import_key ${key}: "${key}" can't stand in the imported file "a.yaml": move it to beeuni.yaml.`
    ),
  );
});

Deno.test("imports: a name in two files is an error that names both", () => {
  const { issues, incomplete } = read({
    "beeuni.yaml": "imports: [a.yaml, b.yaml]\ntools:\n  web_search: beeuni:web_search\n",
    "a.yaml": "\ntools:\n  web_search: beeuni:web_search\nagents:\n  x: {}\n",
    "b.yaml": "agents:\n  x: {}\ntool_settings: {web_search: {fresh: true}}\nconnectors: {c: 1}\n",
  });
  assert.deepEqual([issues, incomplete], [[
    'a.yaml:3:3 duplicate_name tools.web_search: "web_search" is declared in beeuni.yaml:3 and in a.yaml:3: remove one.',
    'b.yaml:2:3 duplicate_name agents.x: "x" is declared in a.yaml:5 and in b.yaml:2: remove one.',
  ], false]);
});

Deno.test("imports: a file that can't be parsed leaves the manifest incomplete", () => {
  const { issues, incomplete } = read({
    "beeuni.yaml": "imports: [a.yaml]\nagents: {x: {}}\n",
    "a.yaml": "tools: [\n",
  });
  assert.deepEqual([issues, incomplete], [[
    "a.yaml:1:9 syntax : The `{` or `[` is not closed, or its lines are not indented enough.",
  ], true]);
});
