import assert from "node:assert/strict";
import { join } from "node:path";
import { toolsNew } from "./tools_new.ts";

interface TestProject extends Disposable {
  root: string;
  read(path: string): string;
  files(): string[];
}

function project(manifest: string): TestProject {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "beeuni-new-" }));
  Deno.writeTextFileSync(join(root, "beeuni.yaml"), manifest);
  const files = (folder = root, prefix = ""): string[] =>
    [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
      isDirectory ? files(join(folder, name), `${prefix}${name}/`) : [`${prefix}${name}`]
    ).sort();
  return {
    root,
    read: (path) => Deno.readTextFileSync(join(root, path)),
    files: () => files(),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

Deno.test("a new tool is a module and one line", () => {
  using own = project("# mine\ntools:\n  show: beeuni:show   # kept\n\nagents:\n  beeuni: {}\n");
  const { stdout, exitCode } = toolsNew({ name: "order_note", project: own.root });
  assert.equal(exitCode, 0);
  assert.equal(
    stdout,
    `  wrote   tools/order_note.ts
  set     beeuni.yaml: tools.order_note: tools/order_note.ts

Next:
  1. Edit tools/order_note.ts: description, parameters, execute(args, context).
  2. beeuni validate --load
  3. beeuni tools call order_note --args '{"text":"hello"}'
`,
  );
  assert.equal(
    own.read("beeuni.yaml"),
    "# mine\ntools:\n  show: beeuni:show   # kept\n  order_note: tools/order_note.ts\n\nagents:\n  beeuni: {}\n",
  );
  assert.deepEqual(own.files(), ["beeuni.yaml", "tools/order_note.ts"]);
});

Deno.test("the module it writes is one that works as it is", async () => {
  using own = project("tools: {}\n");
  toolsNew({ name: "order_note", project: own.root });
  const { default: tool } = await import(`file://${own.root}/tools/order_note.ts`);
  assert.equal(typeof tool.description, "string");
  assert.equal(tool.parameters.type, "object");
  assert.equal(await tool.execute({}, {}), "order_note got no text");
  assert.equal(await tool.execute({ text: "hello" }, {}), "order_note got hello");
});

Deno.test("without a tools key the Beeuni tools are listed too, so that none is lost", () => {
  using own = project("agents:\n  beeuni: {}\n");
  const { stdout } = toolsNew({ name: "note", project: own.root, json: true });
  assert.deepEqual(JSON.parse(stdout), {
    name: "note",
    wrote: "tools/note.ts",
    set: "beeuni.yaml",
    listed: ["web_search", "image_search", "scrape_webpage", "memory", "show"],
  });
  const manifest = own.read("beeuni.yaml");
  for (const line of ["web_search: beeuni:web_search", "show: beeuni:show", "note: tools/note.ts"]) {
    assert.ok(manifest.includes(`  ${line}\n`), manifest);
  }
});

Deno.test("what can't be done is refused, and nothing is written", async (t) => {
  const cases: [string, string, string, string, RegExp, ((root: string) => void)?][] = [
    ["a bad name", "tools: {}\n", "Bad-Name", "usage", /^"Bad-Name" can't be the name of a tool\.$/],
    ["a path", "tools: {}\n", "../x", "usage", /^"\.\.\/x" can't be/],
    ["a digit first", "tools: {}\n", "1st", "usage", /^"1st" can't be/],
    ["a harness tool", "tools: {}\n", "bash", "usage", /^bash is the name of a tool of the harness\.$/],
    ["a Beeuni tool", "tools: {}\n", "show", "usage", /^show is the name of a Beeuni tool\.$/],
    ["a tool that is there", "tools:\n  note: x/n.ts\n", "note", "file_exists", /already: x\/n\.ts\.$/],
    ["a broken one", "tools:\n  note: 1\n", "note", "file_exists", /^there is a tool named note already/],
    ["a file that is there", "tools: {}\n", "note", "file_exists", /^tools\/note\.ts exists\.$/, (root) => {
      Deno.mkdirSync(join(root, "tools"));
      Deno.writeTextFileSync(join(root, "tools/note.ts"), "mine");
    }],
    ["an alias", "x: &t {}\ntools: *t\n", "note", "edit_refused", /^beeuni\.yaml:2: /],
    [
      "a folder that is a file",
      "tools: {}\n",
      "note",
      "unwritable",
      /^tools\/note\.ts can't be written: nothing was changed\.$/,
      (root) => {
        Deno.writeTextFileSync(join(root, "tools"), "mine");
      },
    ],
    [
      "a folder that leads outside",
      "tools: {}\n",
      "note",
      "unwritable",
      /^"tools(?:\/note\.ts)?" is reached through a symlink that leaves the repository\.$/,
      (root) => {
        Deno.symlinkSync("/tmp", join(root, "tools"));
      },
    ],
    [
      "a folder that leads nowhere",
      "tools: {}\n",
      "note",
      "unwritable",
      /^"tools(?:\/note\.ts)?" is reached through a symlink that leaves the repository\.$/,
      (root) => {
        Deno.symlinkSync("/nowhere/at/all", join(root, "tools"));
      },
    ],
  ];
  for (const [what, manifest, name, code, message, prepare] of cases) {
    await t.step(what, () => {
      using own = project(manifest);
      prepare?.(own.root);
      const before = own.files();
      assert.throws(() => toolsNew({ name, project: own.root }), { code, message });
      assert.equal(own.read("beeuni.yaml"), manifest);
      assert.deepEqual(own.files(), before);
    });
  }
});
