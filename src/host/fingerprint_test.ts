import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fingerprint, hashFiles, Surroundings } from "./fingerprint.ts";

/** A folder with these files; removed by `using`. */
function folder(
  files: Record<string, string>,
): { path: (name: string) => string; root: string } & Disposable {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  const path = (name: string) => join(root, name);
  for (const [name, text] of Object.entries(files)) {
    Deno.mkdirSync(dirname(path(name)), { recursive: true });
    Deno.writeTextFileSync(path(name), text);
  }
  return { root, path, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

const FILES = {
  "tools/x.ts": 'import { h } from "../lib/h"; export default { run: () => import("../lib/late.js") };',
  "lib/h.ts": 'import data from "./data.json"; export const h = data;',
  "lib/data.json": "{}",
  "lib/late.ts": 'import "./x.ts";',
  "node_modules/zod/package.json": '{"version":"1.0.0"}',
  "node_modules/zod/lib/index.js": "",
  "node_modules/@scope/pkg/package.json": "{}",
  "node_modules/@scope/pkg/i.js": "",
};

Deno.test("fingerprint: project files, helpers that are imported later, packages by their package.json", async () => {
  using project = folder(FILES);
  const graph = ["tools/x.ts", "lib/h.ts", "node_modules/zod/lib/index.js", "node_modules/@scope/pkg/i.js"];
  const { files, hash } = await fingerprint(graph.map(project.path), [project.root]);
  const expected = [
    "lib/data.json",
    "lib/h.ts",
    "lib/late.ts",
    "node_modules/@scope/pkg/package.json",
    "node_modules/zod/package.json",
    "tools/x.ts",
  ];
  assert.deepEqual(files, expected.map(project.path));
  assert.equal(await hashFiles(files), hash);
});

Deno.test("fingerprint: whatever changes in a file changes it, also under the old time stamp", async () => {
  using project = folder(FILES);
  const { files, hash } = await fingerprint([project.path("tools/x.ts")], [project.root]);
  for (const file of files) {
    const before = Deno.readTextFileSync(file);
    const info = Deno.statSync(file);
    Deno.writeTextFileSync(file, before === "{}" ? "[]" : before.replace(/.$/, " "));
    Deno.utimeSync(file, info.atime ?? 0, info.mtime ?? 0);
    assert.notEqual(await hashFiles(files), hash, file);
    Deno.removeSync(file);
    assert.notEqual(await hashFiles(files), hash, `${file} removed`);
    Deno.writeTextFileSync(file, before);
    assert.equal(await hashFiles(files), hash);
  }
  Deno.utimeSync(project.path("tools/x.ts"), new Date(), new Date());
  assert.equal(await hashFiles(files), hash, "a time stamp alone changes nothing");
});

Deno.test("fingerprint: a package installed nearer to a module changes it", async () => {
  using project = folder(FILES);
  const graph = ["tools/x.ts", "node_modules/zod/lib/index.js", "node_modules/@scope/pkg/i.js"];
  const { files, hash } = await fingerprint(graph.map(project.path), [project.root]);
  for (const name of ["tools/node_modules/zod", "lib/node_modules/@scope/pkg"]) {
    Deno.mkdirSync(project.path(name), { recursive: true });
    assert.notEqual(await hashFiles(files), hash, name);
    Deno.removeSync(project.path(name));
    assert.equal(await hashFiles(files), hash, "an empty node_modules is none");
  }
  Deno.mkdirSync(project.path("tools/node_modules/another"), { recursive: true });
  Deno.mkdirSync(project.path("elsewhere/node_modules/zod"), { recursive: true });
  assert.equal(await hashFiles(files), hash);
});

Deno.test("fingerprint: what an import means counts, though every file stays as it was", async () => {
  const write = (name: string, text = "export const h = 2;") => (path: (name: string) => string) =>
    Deno.writeTextFileSync(path(name), text);
  const cases: [what: string, change: (path: (name: string) => string) => void][] = [
    ["x.ts beside the x.js that ./x meant", write("lib/plain.ts")],
    ["x.js beside the x.ts that ./x.js meant", write("lib/typed.js")],
    ["a file in place of the index of a folder", write("lib/folder.ts")],
    ["a link that leads elsewhere", (path) => {
      Deno.removeSync(path("lib/link.ts"));
      Deno.symlinkSync("b.ts", path("lib/link.ts"));
    }],
    ["another map of #names", write("package.json", '{"imports":{"#h":"./lib/b.ts"}}')],
    ["a nearer package.json", write("lib/package.json", '{"type":"commonjs"}')],
  ];
  for (const [what, change] of cases) {
    using project = folder({
      "package.json": '{"imports":{"#h":"./lib/a.ts"}}',
      "tools/x.ts":
        'import "../lib/plain"; import "../lib/typed.js"; import "../lib/folder"; import "../lib/link.ts"; import "#h";',
      "lib/plain.js": "",
      "lib/typed.ts": "",
      "lib/folder/index.ts": "",
      "lib/a.ts": "",
      "lib/b.ts": "",
    });
    Deno.symlinkSync("a.ts", project.path("lib/link.ts"));
    const { files, hash } = await fingerprint([project.path("tools/x.ts"), project.path("lib/a.ts")], [
      project.root,
    ]);
    assert.equal(await hashFiles(files), hash);
    change(project.path);
    assert.notEqual(await hashFiles(files), hash, what);
  }
});

Deno.test("fingerprint: what a runner names outside the roots is not read; links are resolved first", async () => {
  using project = folder(FILES);
  using outside = folder({ "secret.ts": "" });
  Deno.symlinkSync(outside.path("secret.ts"), project.path("tools/link.ts"));
  Deno.symlinkSync("../lib/h.ts", project.path("tools/inner.ts"));
  const graph = [outside.path("secret.ts"), "/etc/passwd", "relative.ts", project.path("tools/link.ts")];
  assert.deepEqual((await fingerprint(graph, [project.root])).files, []);
  const inner = await fingerprint([project.path("tools/inner.ts")], [project.root]);
  assert.deepEqual(inner.files, [project.path("lib/data.json"), project.path("lib/h.ts")]);
});

Deno.test("fingerprint: a file that is not a regular one does not hold it up", async () => {
  using project = folder({ "tools/x.ts": "" });
  const made = await new Deno.Command("mkfifo", { args: [project.path("tools/fifo.ts")] }).output();
  assert.ok(made.success);
  const { files } = await fingerprint([
    project.path("tools/x.ts"),
    project.path("tools/fifo.ts"),
    project.path("tools"),
  ], [
    project.root,
  ]);
  assert.ok(files.includes(project.path("tools/x.ts")));
  assert.match(await hashFiles(files), /^[0-9a-f]{64}$/);
});

Deno.test("fingerprint: every byte of a graph of many megabytes counts", async () => {
  using project = folder({});
  const files = ["a.bin", "b.bin", "c.bin"].map(project.path);
  const bytes = new Uint8Array(5 * 1024 * 1024).fill(7);
  for (const file of files) Deno.writeFileSync(file, bytes);
  const hash = await hashFiles(files);
  assert.match(hash, /^[0-9a-f]{64}$/);
  for (const file of files) {
    for (const at of [0, bytes.length - 1]) {
      Deno.writeFileSync(file, bytes.with(at, 8));
      assert.notEqual(await hashFiles(files), hash, `${file} ${at}`);
      Deno.writeFileSync(file, bytes);
    }
  }
  assert.equal(await hashFiles(files), hash);
});

Deno.test("fingerprint: what stands around several tools may be looked at once", async () => {
  using project = folder({ ...FILES, "package.json": "{}", "lib/package.json": '{"type":"module"}' });
  const around = new Surroundings();
  for (const file of ["tools/x.ts", "lib/h.ts", "lib/late.ts"].map(project.path)) {
    assert.equal(await hashFiles([file], around), await hashFiles([file]), file);
  }
});
