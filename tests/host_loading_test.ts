import assert from "node:assert/strict";
import { join } from "node:path";
import { sleep } from "./support/eventually.ts";
import { Bench, bench, containerEnv, test, tool } from "./support/host_bench.ts";
import { Project } from "./support/project.ts";

// Which code is loaded and when: real processes.

test("an edit is seen when the next worker is made, never before, also under the old time stamp", async () => {
  await using it = await bench({
    "beeuni.yaml":
      "tools: { x: tools/x.ts, fresh: tools/fresh.ts }\ntool_settings: { fresh: { fresh: true } }\n",
    "tools/x.ts": tool(
      `return word + (await import("../lib/late.ts")).late;`,
      `import { word } from "../lib/h.ts";`,
    ),
    "tools/fresh.ts": tool(`return word;`, `import { word } from "../lib/h.ts";`),
    "lib/h.ts": `export const word: string = "one";`,
    "lib/late.ts": `export const late: string = "!";`,
  });
  const edit = (path: string, content: string) => {
    const before = Deno.statSync(it.project.path(path));
    it.project.write(path, content);
    Deno.utimeSync(it.project.path(path), before.atime ?? 0, before.mtime ?? 0);
  };
  assert.equal(await it.call("x"), "one!");
  assert.equal(await it.call("fresh"), "one");
  const { generation } = it.host.catalogue();
  edit("lib/h.ts", `export const word: string = "two";`);
  assert.equal(await it.call("x"), "one!", "a warm worker goes on with what it loaded");
  assert.equal(await it.call("fresh"), "two", "a new worker reads the disk");
  assert.equal(it.host.catalogue().generation, generation + 1);
  assert.deepEqual(await it.host.reload(), { generation: generation + 2, changed: ["x"], failed: [] });
  assert.equal(await it.call("x"), "two!");
  edit("lib/late.ts", `export const late: string = "?";`);
  assert.deepEqual((await it.host.reload()).changed, ["x"], "a helper that is imported later counts");
  assert.equal(await it.call("x"), "two?");
  assert.deepEqual((await it.host.reload()).changed, []);

  // One that does not load any more is failed from then on, the others stay.
  edit("lib/h.ts", `export const other = 1;`);
  await assert.rejects(it.call("fresh"), {
    code: "tool_not_found",
    message: "no tool named fresh is loaded",
  });
  assert.deepEqual(it.host.catalogue().failed.map(({ name }) => name), ["fresh"]);
  assert.match(it.host.catalogue().failed[0]?.error ?? "", /^tools\/fresh\.ts: .*word/);
  assert.equal(await it.call("x"), "two?");
  edit("lib/h.ts", `export const word: string = "new";`);
  await assert.rejects(it.call("fresh"), { code: "tool_not_found" }, "until a reload tries it again");
  assert.deepEqual((await it.host.reload()).changed, ["x", "fresh"]);
  assert.equal(await it.call("fresh"), "new");

  Deno.removeSync(it.project.path("tools/fresh.ts"));
  await assert.rejects(it.call("fresh"), { code: "tool_not_found" });
  assert.equal(it.host.catalogue().failed[0]?.error, "tools/fresh.ts does not exist");
});

test("a start with nothing changed imports nothing; a broken cache is as good as none", async () => {
  const project = new Project({
    files: {
      "beeuni.yaml":
        "tools: { x: tools/x.ts, broken: tools/broken.ts, show: beeuni:show }\nagents: { beeuni: {}, none: { tools: none } }\n",
      "tools/x.ts": tool("return 1;", `console.log("imported");`),
      "tools/broken.ts": "export default 1;",
    },
  });
  const imports = async (prepare: () => void = () => {}): Promise<number> => {
    prepare();
    // The project stays for the next round.
    const it = new Bench(project);
    await it.host.ready;
    assert.deepEqual(it.host.catalogue().tools.map(({ name }) => name), ["show", "x"]);
    assert.deepEqual(it.host.catalogue().failed.map(({ name }) => name), ["broken"]);
    await it.host.stop();
    return it.events.filter((event) => event.type === "tool_log" && event.text === "imported").length;
  };
  const cache = join(project.state, "catalogue.json");
  try {
    assert.equal(await imports(), 1);
    assert.equal(await imports(), 0);
    assert.equal(await imports(() => Deno.writeTextFileSync(cache, "{")), 1);
    assert.equal(await imports(), 0);
    assert.equal(await imports(() => project.write("tools/x.ts", project.read("tools/x.ts") + " ")), 1);
    const settings = "tool_settings: { x: { permissions: { net: false } } }\n";
    assert.equal(
      await imports(() => project.write("beeuni.yaml", project.read("beeuni.yaml") + settings)),
      1,
    );
    assert.equal(await imports(() => Deno.removeSync(cache)), 1);
  } finally {
    project[Symbol.dispose]();
  }
});

test("what no agent may use is never imported, and neither offered nor failed", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { used: tools/a.ts, unused: tools/b.ts }\nagents: { beeuni: { tools: [used] } }\n",
    "tools/a.ts": tool("return 1;"),
    "tools/b.ts": `throw new Error("imported");`,
  });
  const { tools, failed, unused } = it.host.catalogue();
  assert.deepEqual([tools.map(({ name }) => name), failed, unused], [["used"], [], ["unused"]]);
  await assert.rejects(it.call("unused"), { code: "tool_not_found" });
  await assert.rejects(it.call("used", { agent: "nobody" }), {
    code: "agent_forbidden",
    message: "agent nobody may not use used",
  });
});

test("a call to a tool that is still loading waits for it, and can be cancelled", async () => {
  const project = new Project({
    files: {
      "beeuni.yaml": "tools: { slow: tools/slow.ts, bad: tools/bad.ts }\n",
      "tools/slow.ts": tool("return 1;", "await new Promise((resolve) => setTimeout(resolve, 600));"),
      "tools/bad.ts": "await new Promise((resolve) => setTimeout(resolve, 300)); throw new Error('no');",
    },
  });
  await using it = new Bench(project);
  assert.equal(it.host.state, "loading");
  const controller = new AbortController();
  const calls = [
    it.call("slow"),
    it.call("bad").catch((error) => error.code),
    it.call("slow", { call: "mine" }).catch((error) => error.code),
    it.call("slow", { signal: controller.signal }).catch((error) => error.code),
    it.call("nothing").catch((error) => error.code),
  ];
  await sleep(50);
  assert.equal(it.host.cancel("mine"), true);
  controller.abort();
  assert.deepEqual(await Promise.all(calls), [1, "tool_not_found", "aborted", "aborted", "tool_not_found"]);
  assert.equal(it.host.cancel("mine"), false);
});

test("one module that loops, ends its process or floods the log costs its own tool", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  await using it = await bench({
    "beeuni.yaml": `tools: { loop: tools/loop.ts, kill: tools/kill.ts, flood: tools/flood.ts, ${
      names.map((name) => `${name}: tools/x.ts`).join(", ")
    } }\n`,
    "tools/loop.ts": "for (;;);",
    "tools/kill.ts": "const all = []; for (;;) all.push(new Array(1e6).fill(all.length));",
    "tools/flood.ts": tool("return 1;", `for (let i = 0; i < 20000; i++) console.log("x".repeat(1000));`),
    "tools/x.ts": tool("return 1;"),
  }, { containerEnv: { ...containerEnv(new Project()), BEEUNI_TOOL_HEAP_MB: "100" } });
  const { tools, failed } = it.host.catalogue();
  assert.deepEqual(tools.map(({ name }) => name), ["flood", ...names]);
  const errors = Object.fromEntries(failed.map(({ name, error }) => [name, error]));
  assert.deepEqual(errors, {
    loop: "tools/loop.ts: it did not load within 10 s",
    kill: "tools/kill.ts: its sandbox ran out of memory",
  });
  assert.ok(it.log.length < 10_000_000);
});

test("a reload retires the workers whose tool or rights changed, and no other", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { a: tools/a.ts, b: tools/b.ts, c: tools/c.ts }\n",
    "tools/a.ts": tool("return ++calls;", "let calls = 0;"),
    "tools/b.ts": tool("return ++calls;", "let calls = 0;"),
    "tools/c.ts": tool("return ++calls;", "let calls = 0;"),
  });
  const calls = async () => [await it.call("a"), await it.call("b"), await it.call("c")];
  await calls();
  assert.deepEqual(await calls(), [2, 2, 2]);
  it.project.write("tools/a.ts", it.project.read("tools/a.ts") + "\n");
  const yaml = it.project.read("beeuni.yaml");
  it.project.write("beeuni.yaml", yaml + "tool_settings: { b: { permissions: { net: false } } }\n");
  assert.deepEqual((await it.host.reload()).changed, ["a", "b"]);
  assert.deepEqual(await calls(), [1, 1, 3]);
  it.project.write("beeuni.yaml", "tools: { a: tools/a.ts");
  await assert.rejects(
    it.host.reload(),
    (error: Error & { code?: string; details?: { issues?: unknown[] } }) => {
      assert.equal(error.code, "manifest_invalid");
      return (error.details?.issues?.length ?? 0) > 0;
    },
  );
  assert.deepEqual(await calls(), [2, 2, 4], "the old tools stay");
  it.project.write("beeuni.yaml", "tools: { a: tools/a.ts }\n");
  assert.deepEqual((await it.host.reload()).changed, ["b", "c"]);
  await assert.rejects(it.call("b"), { code: "tool_not_found" });
});

test("only what is asked for is loaded", async () => {
  await using it = await bench({
    "beeuni.yaml": "tools: { a: tools/a.ts, b: tools/b.ts, show: beeuni:show }\n",
    "tools/a.ts": tool("return 1;"),
    "tools/b.ts": `throw new Error("imported");`,
  }, { onlyTools: ["a"] });
  const { tools, failed } = it.host.catalogue();
  assert.deepEqual([tools.map(({ name }) => name), failed], [["a"], []]);
  assert.equal(await it.call("a"), 1);
});
