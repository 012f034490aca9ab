import assert from "node:assert/strict";
import { join } from "node:path";
import { beeuniCommand, beeuniProgram } from "./beeuni.ts";
import { startDaemon } from "./support/daemon.ts";
import { testEnvironment } from "./support/environment.ts";
import { Project } from "./support/project.ts";
import { beeuni } from "./support/run.ts";
import { output } from "./support/told.ts";

// `beeuni tools eject` as a process (specification 1.8). How it edits manifests of any style is tested beside it.

const LENIENT = { sanitizeOps: false, sanitizeResources: false };
const TOOLS = ["web_search", "image_search", "scrape_webpage", "memory", "show"];
const OLD =
  "# mine\ntools:\n  web_search: beeuni:web_search      # maintained\n  memory: beeuni:memory\n\nagents: {}\n";
const NEW = OLD.replace(
  "beeuni:web_search      # maintained",
  "tools/web_search.ts  # ejected from beeuni:web_search",
);

function source(name: string): string {
  return Deno.readTextFileSync(new URL(`../src/beeuni_tools/${name}.ts`, import.meta.url));
}

function files(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? files(join(folder, name)).map((path) => `${name}/${path}`) : [name]
  ).sort();
}

Deno.test({
  name: "eject: the published output, and the very bytes of the source",
  ...LENIENT,
  async fn() {
    for (const name of TOOLS) {
      using project = new Project({ files: { "beeuni.yaml": `tools:\n  ${name}: beeuni:${name}\n` } });
      assert.deepEqual(await beeuni(project, ["tools", "eject", name]), {
        code: 0,
        stderr: "",
        stdout: `  ✓  Ejected ${name}
  wrote   tools/${name}.ts (the Beeuni source, now the project's to change)
  set     beeuni.yaml: tools.${name}: tools/${name}.ts

Next:
  1. Edit tools/${name}.ts. Keep the default export: { description, parameters, execute(args, context) }.
  2. beeuni validate
  3. git add tools/${name}.ts beeuni.yaml && git commit -m "Own the ${name} tool"
  4. Open a change request: git push origin HEAD && beeuni cr open --title "Own the ${name} tool"
Sessions load the copy after the change request merges.
`,
      });
      assert.equal(project.read(`tools/${name}.ts`), source(name));
      assert.equal(
        project.read("beeuni.yaml"),
        `tools:\n  ${name}: tools/${name}.ts  # ejected from beeuni:${name}\n`,
      );
      assert.deepEqual(files(project.root), ["beeuni.yaml", `tools/${name}.ts`]);
      assert.deepEqual(await beeuni(project, ["validate"]), {
        code: 0,
        stderr: "",
        stdout: "✓ beeuni.yaml is valid\n",
      });
    }
  },
});

Deno.test({
  name: "eject: exit codes, messages and documents",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "beeuni.yaml": OLD } });
    using alias = new Project({ files: { "beeuni.yaml": "x: &t {show: beeuni:show}\ntools: *t\n" } });
    const notOurs =
      '"lookup" is not a Beeuni tool. Eject one of: web_search, image_search, scrape_webpage, memory, show.';
    const exists = "tools/memory.ts exists. Use --force to overwrite it.";
    const noCopy = "web_search has no copy to compare: the project runs beeuni:web_search.";
    const line = "`show: tools/show.ts  # ejected from beeuni:show`";
    const rows: [Project, string[], number, string, string][] = [
      [project, ["lookup"], 2, "", `beeuni: ${notOurs}\n`],
      [project, ["lookup", "--json"], 2, json({ error: notOurs, code: "usage" }), ""],
      [
        project,
        ["memory", "--json"],
        0,
        json({ name: "memory", wrote: "tools/memory.ts", set: "beeuni.yaml", listed: [] }),
        "",
      ],
      [project, ["memory"], 1, "", `beeuni: ${exists}\n`],
      [project, ["memory", "--json"], 1, json({ error: exists, code: "file_exists" }), ""],
      [project, ["memory", "--diff"], 0, "tools/memory.ts is the same as beeuni:memory.\n", ""],
      [
        project,
        ["--diff", "web_search"],
        1,
        "",
        `beeuni: ${noCopy}\n  → Run \`beeuni tools eject web_search\` to get one.\n`,
      ],
      [
        alias,
        ["show"],
        1,
        "",
        "beeuni: beeuni.yaml:2: `tools` is an alias and can't be edited safely.\n" +
        `  → Write ${line} under \`tools:\` by hand.\n`,
      ],
    ];
    for (const [where, args, code, stdout, stderr] of rows) {
      assert.deepEqual(await beeuni(where, ["tools", "eject", ...args]), { code, stdout, stderr });
    }
    assert.deepEqual(files(alias.root), ["beeuni.yaml"]);
    assert.equal((await beeuni(project, ["tools", "eject", "memory", "--force"])).code, 0);
  },
});

function json(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

Deno.test({
  name: "eject: a disk that takes no more leaves the project as it was",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "beeuni.yaml": OLD } });
    const { program, first } = beeuniProgram();
    const child = new Deno.Command("sh", {
      // 8 blocks of 512 bytes: less than a module
      args: [
        "-c",
        `trap '' XFSZ; ulimit -f 8; exec "$@"`,
        "sh",
        program,
        ...first,
        "tools",
        "eject",
        "web_search",
      ],
      cwd: project.root,
      clearEnv: true,
      env: testEnvironment(project),
    });
    const { code, stderr } = await child.output();
    assert.equal(code, 1);
    assert.match(
      new TextDecoder().decode(stderr),
      /^beeuni: tools\/web_search\.ts can't be written: nothing was changed\.$/m,
    );
    assert.deepEqual(files(project.root), ["beeuni.yaml"]);
    assert.equal(project.read("beeuni.yaml"), OLD);
  },
});

/** Starts an eject and kills it `delay` ms after it first touched the project; answers whether it was in time. */
async function killedEject(project: Project, args: string[], delay: number): Promise<boolean> {
  const watcher = Deno.watchFs(project.root);
  const touched = (async () => {
    for await (const { kind } of watcher) {
      if (kind === "create") break;
    }
  })();
  const child = beeuniCommand(["tools", "eject", ...args], {
    cwd: project.root,
    clearEnv: true,
    env: testEnvironment(project),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await Promise.race([touched, child.status]);
  for (const end = performance.now() + delay; performance.now() < end;);
  try {
    Deno.kill(child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
  const { signal } = await child.status;
  try {
    watcher.close();
  } catch {
    // The loop above has closed it.
  }
  await touched;
  return signal === "SIGKILL";
}

const TEMPORARY = /\.[0-9a-f-]{36}\.tmp$/;

Deno.test({
  name: "eject: killed at any point it leaves the old project or the new one",
  ...LENIENT,
  async fn() {
    const module = source("web_search");
    const inTime = { new: 0, force: 0 };
    for (let round = 0; round < 24; round++) {
      const how = round % 2 === 0 ? "new" : "force";
      const mine = how === "force" ? { "tools/web_search.ts": "// mine\n" } : {};
      using project = new Project({ files: { "beeuni.yaml": OLD, ...mine } });
      const args = ["web_search", ...(how === "force" ? ["--force"] : [])];
      if (await killedEject(project, args, Math.random() * 12)) inTime[how]++;

      const there = files(project.root);
      const manifest = project.read("beeuni.yaml");
      const copy = there.includes("tools/web_search.ts") ? project.read("tools/web_search.ts") : undefined;
      const state = `${there}, ${manifest === OLD ? "old" : manifest}`;
      assert.ok([OLD, NEW].includes(manifest), state);
      assert.ok([module, mine["tools/web_search.ts"]].includes(copy), state);
      if (manifest === NEW) assert.equal(copy, module, "the module comes first");
      const others = there.filter((path) => path !== "beeuni.yaml" && path !== "tools/web_search.ts");
      assert.deepEqual(others.filter((path) => !TEMPORARY.test(path)), []);

      const { code, stdout } = await beeuni(project, ["tools", "ls"]);
      assert.equal(code, 0);
      assert.match(
        stdout,
        manifest === OLD
          ? /^web_search +beeuni +beeuni:web_search$/m
          : /^web_search +beeuni \(overridden\) +tools\/web_search\.ts$/m,
      );
      // The same command again ends what was begun; a file that is there needs --force, as ever.
      assert.equal((await beeuni(project, ["tools", "eject", "web_search", "--force"])).code, 0);
      assert.deepEqual([project.read("beeuni.yaml"), project.read("tools/web_search.ts")], [NEW, module]);
    }
    assert.ok(inTime.new + inTime.force > 0, "no process was killed in time");
  },
});

Deno.test({
  name: "eject: of several at once none undoes another",
  ...LENIENT,
  async fn() {
    for (let round = 0; round < 3; round++) {
      using project = new Project({
        files: { "beeuni.yaml": `tools:\n${TOOLS.map((name) => `  ${name}: beeuni:${name}\n`).join("")}` },
      });
      const runs = await Promise.all(TOOLS.map((name) => beeuni(project, ["tools", "eject", name])));
      const done = TOOLS.filter((_, index) => runs[index]?.code === 0);
      for (const { code, stderr } of runs) {
        if (code === 0) continue;
        assert.deepEqual(
          [code, stderr],
          [1, "beeuni: beeuni.yaml was changed meanwhile: try again.\n"],
        );
      }
      assert.ok(done.length > 0);
      const lines = TOOLS.map((name) =>
        done.includes(name)
          ? `  ${name}: tools/${name}.ts  # ejected from beeuni:${name}\n`
          : `  ${name}: beeuni:${name}\n`
      );
      assert.equal(project.read("beeuni.yaml"), `tools:\n${lines.join("")}`);
      assert.deepEqual(
        files(project.root),
        ["beeuni.yaml", ...done.map((name) => `tools/${name}.ts`)].sort(),
      );
    }
  },
});

Deno.test({
  name: "eject: the copy runs in the daemon, and back again the maintained tool",
  ...LENIENT,
  async fn() {
    using project = new Project({ files: { "beeuni.yaml": "tools:\n  memory: beeuni:memory # m\n" } });
    await using daemon = await startDaemon(project);
    const view = () => daemon.call("memory", { args: { command: "view", path: "memory" } });
    const missing = "The path memory does not exist. Please provide a valid path.";
    const kind = async () => (await daemon.request("/beeuni/tools")).body.tools[0].kind;
    output(missing)(await view());
    assert.equal(await kind(), "beeuni");

    assert.equal((await beeuni(project, ["tools", "eject", "memory"])).code, 0);
    project.write(
      "tools/memory.ts",
      source("memory").replaceAll("does not exist. Please", "is not there. Please"),
    );
    assert.deepEqual((await daemon.reload()).body.changed, ["memory"]);
    output("The path memory is not there. Please provide a valid path.")(await view());
    assert.equal(await kind(), "beeuni (overridden)");
    const { stdout } = await beeuni(project, ["tools", "ls", "--json"]);
    assert.deepEqual(JSON.parse(stdout).tools, [{
      name: "memory",
      kind: "beeuni (overridden)",
      source: "tools/memory.ts",
      ejected_from: "beeuni:memory",
      outdated: null,
    }]);

    project.write("beeuni.yaml", "tools:\n  memory: beeuni:memory\n");
    Deno.removeSync(project.path("tools"), { recursive: true });
    assert.deepEqual((await daemon.reload()).body.changed, ["memory"]);
    output(missing)(await view());
    assert.equal(await kind(), "beeuni");
  },
});
