import assert from "node:assert/strict";
import { join } from "node:path";
import { copyOrdersProject, type OrdersProject } from "../scripts/orders/copy_project.ts";
import { makePayload } from "../scripts/build/payload.ts";
import { selfExtracting } from "../scripts/build/self_extracting.ts";
import { targetOf } from "../scripts/build/targets.ts";
import { beeuniProgram } from "./beeuni.ts";

// What is true of the executable alone. Its header is tested case by case in scripts/build/header_test.ts.

const ROOT = join(import.meta.dirname!, "..");
const ignore = !Deno.env.get("BEEUNI_BIN");

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

interface Start {
  project: OrdersProject;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** A program that starts the executable, with its arguments. */
  under?: string[];
}

/** Runs the executable with an environment of its own: what the cache, home and temp folders are, and no more. */
async function run({ project, args, env, cwd, stdin, under = [] }: Start): Promise<Run> {
  for (const name of ["home", "tmp"]) Deno.mkdirSync(join(project.base, name), { recursive: true });
  const [program = "", ...before] = [...under, beeuniProgram().program];
  const child = new Deno.Command(program, {
    args: [...before, ...args],
    cwd: cwd ?? project.root,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: join(project.base, "home"),
      TMPDIR: join(project.base, "tmp"),
      BEEUNI_STATE_DIR: join(project.base, "state"),
      ...env,
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const written = new Blob([stdin ?? ""]).stream().pipeTo(child.stdin).catch(() => {}); // it may end first
  const { code, stdout, stderr } = await child.output();
  await written;
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

function test(name: string, fn: (project: OrdersProject) => Promise<void>): void {
  Deno.test({
    name: `executable: ${name}`,
    ignore,
    fn: async () => {
      using project = copyOrdersProject();
      await fn(project);
    },
  });
}

test("one file of at most 48 MB that says what it is", async (project) => {
  assert.ok(Deno.statSync(beeuniProgram().program).size <= 48e6);
  const { code, stdout } = await run({ project, args: ["version", "--json"] });
  assert.equal(code, 0);
  const said = JSON.parse(stdout);
  const { version } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
  assert.equal(said.version, version);
  assert.match(said.commit, /^[0-9a-f]{40}$/);
  assert.match(JSON.stringify(said), /self-extracting/);
});

test("20 first starts at once", async (project) => {
  const starts = Array.from({ length: 20 }, () => run({ project, args: ["tools", "ls"] }));
  for (const { code, stdout, stderr } of await Promise.all(starts)) {
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^lookup_order {7}project {2}tools\/lookup_order\.ts$/m);
  }
});

test("only a temp folder", async (project) => {
  const env = { HOME: "/nonexistent", XDG_CACHE_HOME: "/proc/none" };
  const args = ["tools", "call", "order_total", "--args", '{"id":"A-1042"}'];
  const { code, stdout } = await run({ project, args, env });
  assert.deepEqual([code, stdout], [0, "19.98 EUR\n"]);
  assert.deepEqual([...Deno.readDirSync(join(project.base, "home"))].map(({ name }) => name), []);
});

test("configuration of others, where it is started and above its cache, means nothing to it", async (project) => {
  for (const folder of [project.root, project.base]) {
    for (const name of ["deno.json", "package.json", "deno.lock", ".npmrc"]) {
      Deno.writeTextFileSync(join(folder, name), "{ broken");
    }
  }
  const { code, stdout, stderr } = await run({ project, args: ["tools", "ls"] });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^NAME {15}KIND/);
});

test("arguments and stdin arrive as they are", async (project) => {
  Deno.writeTextFileSync(
    join(project.root, "tools/stock_level.cjs"),
    "module.exports = { description: 'x', parameters: { type: 'object' }, execute: (args) => args.text }",
  );
  const text = `  a  'b' "c" $HOME \`id\` \\ * \n\t ü 🐝 --version`;
  const args = JSON.stringify({ text });
  const given = await run({ project, args: ["tools", "call", "stock_level", "--args", args] });
  assert.deepEqual([given.code, given.stdout.trimEnd()], [0, text.trimEnd()]);
  const piped = await run({ project, args: ["tools", "call", "stock_level", "--args", "-"], stdin: args });
  assert.deepEqual([piped.code, piped.stdout.trimEnd()], [0, text.trimEnd()]);
});

test("what it sets for its own Deno reaches no tool, what the user set does", async (project) => {
  Deno.writeTextFileSync(
    join(project.root, "tools/stock_level.cjs"),
    "module.exports = { description: 'x', parameters: { type: 'object' }, execute: (_, { env }) => env }",
  );
  const names = async (env: Record<string, string>) => {
    const { stdout } = await run({ project, args: ["tools", "call", "stock_level"], env });
    return JSON.parse(stdout) as Record<string, string>;
  };
  const bare = await names({});
  assert.deepEqual(Object.keys(bare).filter((name) => /^(DENO_|BEEUNI_OUTER)/.test(name)), []);
  assert.equal(bare.PATH, Deno.env.get("PATH"));
  assert.equal((await names({ DENO_DIR: "/the/user's" })).DENO_DIR, "/the/user's");
});

test("an ejected tool has the very bytes of the source", async (project) => {
  const { code, stderr } = await run({ project, args: ["tools", "eject", "web_search"] });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(
    Deno.readFileSync(join(project.root, "tools/web_search.ts")),
    Deno.readFileSync(join(ROOT, "src/beeuni_tools/web_search.ts")),
  );
});

test("no network is needed", async (project) => {
  const under = ["unshare", "--map-root-user", "--net"];
  const { success } = await new Deno.Command("unshare", { args: [...under.slice(1), "true"] }).output();
  if (!success) return; // this machine makes no network namespaces
  const args = ["tools", "call", "order_total", "--args", '{"id":"A-1042"}'];
  const { code, stdout } = await run({ project, args, under });
  assert.deepEqual([code, stdout], [0, "19.98 EUR\n"]);
});

Deno.test({
  name: "executable: two builds of one commit give the same bytes",
  ignore,
  fn: async () => {
    const target = targetOf();
    const first = await selfExtracting(await makePayload(ROOT, target), target);
    const second = await selfExtracting(await makePayload(ROOT, target), target);
    assert.ok(first.length === second.length && first.every((byte, index) => byte === second[index]));
  },
});
