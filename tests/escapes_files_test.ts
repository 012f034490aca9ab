import assert from "node:assert/strict";
import { join } from "node:path";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { escapeProject, SENTINEL } from "./support/escape_project.ts";
import { Listener } from "./support/listener.ts";
import type { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { snapshot } from "./support/snapshot.ts";
import { output, toolError } from "./support/told.ts";

// Reads, writes and imports that leave the sandbox (specification 2.4, 5.4). Each row is refused with a sentence, and
// what it wanted did not happen.

let project: Project;
let daemon: Daemon;
let state: string;

Deno.test.beforeAll(async () => {
  project = escapeProject();
  // Inside the checkout: the hardest place to keep from tools that may read the checkout.
  state = project.path(".beeuni");
  daemon = await startDaemon(project, { env: { BEEUNI_STATE_DIR: state } });
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

/** The ways a tool knows, from its schema: a row for each, so that none is forgotten. */
async function ways(tool: string): Promise<string[]> {
  const { body } = await daemon.request("/beeuni/tools");
  return body.tools.find((known: { name: string }) => known.name === tool).parameters.properties.way.enum;
}

/** Calls a tool that must fail, and answers its readable message. */
async function refused(tool: string, args: Record<string, unknown>): Promise<string> {
  const { status, body } = await daemon.call(tool, { args });
  const what = `${JSON.stringify(args)}: ${JSON.stringify(body).slice(0, 1_000)}`;
  assert.deepEqual([status, body.code], [422, "tool_failed"], what);
  assertReadable(body.error);
  assert.ok(!JSON.stringify(body).includes(SENTINEL), what);
  return body.error;
}

const READS: { name: string; path: () => string; ways?: string[] }[] = [
  { name: "a file outside", path: () => join(project.outside, "secret.txt"), ways: ["every"] },
  { name: "..", path: () => `${project.root}/tools/../../outside/secret.txt` },
  { name: "a relative path", path: () => "../outside/secret.txt" },
  { name: "doubled slashes", path: () => `/${project.outside}//./secret.txt` },
  { name: "a link in the checkout to a folder", path: () => project.path("data/link_to_outside/secret.txt") },
  { name: "a link in the checkout to a file", path: () => project.path("data/link_to_secret.ts") },
  {
    name: "links one behind the other",
    path: () => project.path("data/link_to_root/data/link_to_secret.ts"),
  },
  { name: "the password file", path: () => "/etc/passwd" },
  { name: "its own environment", path: () => "/proc/self/environ" },
  { name: "its own arguments", path: () => "/proc/self/cmdline" },
  { name: "its own memory", path: () => "/proc/self/mem" },
  { name: "the environment of its thread", path: () => "/proc/thread-self/environ" },
  { name: "the environment of the daemon", path: () => `/proc/${daemon.pid}/environ` },
  { name: "the root by /proc", path: () => `/proc/self/root${project.outside}/secret.txt` },
  { name: "the working directory by /proc", path: () => "/proc/self/cwd/../outside/secret.txt" },
  { name: "a descriptor by /proc", path: () => "/proc/self/fd/3" },
  { name: "a descriptor by /dev", path: () => "/dev/fd/3" },
  { name: "the daemon's key", path: () => join(state, "tool-bridge.key") },
  { name: "the daemon's file", path: () => join(state, "daemon.json") },
];

/** Nothing is found, no link is made, no variable is set: the file is not even asked for. */
const REFUSED_OTHERWISE = ["node_glob", "node_symlink", "deno_symlink", "node_env_file"];

for (const { name, path, ways: which } of READS) {
  Deno.test({
    name: `escape: read ${name}`,
    ...LENIENT,
    async fn() {
      const all = await ways("read_outside");
      for (const way of which === undefined ? ["node_read_file_sync", "deno_read", "fetch_file"] : all) {
        const error = await refused("read_outside", { way, path: path() });
        if (which !== undefined && !REFUSED_OTHERWISE.includes(way)) {
          assert.match(error, /read_outside may not (read|write) ".*outside/, `${way}: ${error}`);
          assert.match(error, /tool_settings\.read_outside\.permissions\.(read|write)/, `${way}: ${error}`);
        }
      }
      assert.deepEqual(
        [...Deno.readDirSync(project.outside)].map((entry) => entry.name).filter((name) =>
          name === "secret.txt"
        ),
        ["secret.txt"],
      );
    },
  });
}

const WRITES: { name: string; path: () => string; ways?: string[] }[] = [
  { name: "a file outside", path: () => join(project.outside, "victim.txt"), ways: ["every"] },
  { name: "a module of a neighbour", path: () => project.path("tools/honest.ts"), ways: ["every"] },
  { name: "a package", path: () => project.path("node_modules/honest/index.js"), ways: ["every"] },
  { name: "a new file outside", path: () => join(project.outside, "new.txt") },
  { name: "..", path: () => `${project.root}/data/../../outside/victim.txt` },
  { name: "a git hook", path: () => project.path(".git/hooks/pre-commit") },
  { name: "the git configuration", path: () => project.path(".git/config") },
  { name: "git by ..", path: () => project.path("data") + "/../.git/config" },
  { name: "git by a link", path: () => project.path("data/link_to_git/config") },
  { name: "tools by a link", path: () => project.path("data/link_to_tools/honest.ts") },
  { name: "tools by a link to the root", path: () => project.path("data/link_to_root/tools/honest.ts") },
  { name: "the outside by a link", path: () => project.path("data/link_to_outside/victim.txt") },
  { name: "through a link that leads nowhere yet", path: () => project.path("data/link_to_nothing") },
  { name: "the harness", path: () => project.path("harnesses/opencode/AGENTS.md") },
  { name: "the harness's folder", path: () => project.path(".opencode/plugin.ts") },
  { name: "the harness's configuration", path: () => project.path("opencode.json") },
  { name: "the harness's other configuration", path: () => project.path("opencode.jsonc") },
  { name: "package.json", path: () => project.path("package.json") },
  { name: "the manifest", path: () => project.path("beeuni.yaml") },
  { name: "a new module", path: () => project.path("tools/new.ts") },
  { name: "the daemon's key", path: () => join(state, "tool-bridge.key") },
  { name: "shared memory", path: () => `/dev/shm/beeuni-test-${Deno.pid}` },
];

for (const { name, path, ways: which } of WRITES) {
  Deno.test({
    name: `escape: write ${name}`,
    ...LENIENT,
    async fn() {
      const own = [project.path("data/honest.txt"), state];
      const key = daemon.key;
      const before = snapshot([project.root, project.outside], own);
      const all = await ways("write_outside");
      for (const way of which === undefined ? ["node_write_sync", "node_rename", "deno_write"] : all) {
        await refused("write_outside", { way, path: path() });
        assert.deepEqual(snapshot([project.root, project.outside], own), before, way);
      }
      assert.equal(Deno.readTextFileSync(join(state, "tool-bridge.key")).trim(), key);
      await assert.rejects(Deno.stat(`/dev/shm/beeuni-test-${Deno.pid}`));
    },
  });
}

for (const folder of ["tools", "node_modules", ".git", "harnesses", ".beeuni"]) {
  Deno.test({
    name: `escape: move or remove the folder ${folder}`,
    ...LENIENT,
    async fn() {
      for (const way of ["node_rename_away", "node_rm", "node_chmod"]) {
        await refused("write_outside", { way, path: project.path(folder) });
      }
      assert.ok(Deno.statSync(project.path(folder)).isDirectory);
      assert.equal((Deno.statSync(project.path("tools/honest.ts")).mode ?? 0) & 0o002, 0);
    },
  });
}

Deno.test({
  name: "escape: a refused write says which setting opens it",
  ...LENIENT,
  async fn() {
    const tell = (path: string) => refused("write_outside", { way: "node_write_sync", path });
    const setting = "add it under tool_settings.write_outside.permissions.write";
    const victim = join(project.outside, "victim.txt");
    assert.equal(await tell(victim), `write_outside may not write "${victim}": ${setting}`);
    assert.equal(
      await tell(project.path("tools/honest.ts")),
      `write_outside may not write "tools/honest.ts": ${setting}`,
    );
    // Nothing opens this one, so no setting is named.
    assert.doesNotMatch(await tell(project.path(".git/config")), /tool_settings/);
  },
});

Deno.test({
  name: "escape: imports of every kind, at run time",
  ...LENIENT,
  async fn() {
    for (const way of await ways("import_outside")) {
      const args = { way, path: join(project.outside, "secret") };
      if (way === "register") {
        // It may do nothing at all, as long as it does not show the file.
        const { body } = await daemon.call("import_outside", { args });
        assert.ok(!JSON.stringify(body).includes(SENTINEL));
      } else {
        const error = await refused("import_outside", args);
        if (!["worker", "import_scripts"].includes(way)) {
          assert.match(error, /leaves the project|may not read|looked in/, `${way}: ${error}`);
        }
      }
    }
  },
});

const STATIC: [tool: string, reason: RegExp][] = [
  ["static_import", /^\S+ leaves the project$/],
  ["static_json", /^\S+ leaves the project$/],
  ["static_text", /^\S+ leaves the project$/],
  ["static_wasm", /^\S+ leaves the project$/],
  ["static_link", /^\S+ leaves the project$/],
  ["static_package", /^\S+ leaves the project$/],
  ["static_https", /^remote imports are not available: install the package beside the module$/],
  ["static_npm", /^remote imports are not available: install the package beside the module$/],
  ["static_jsr", /^remote imports are not available: install the package beside the module$/],
];

Deno.test({
  name: "escape: imports of every kind, at load",
  ...LENIENT,
  async fn() {
    const { body } = await daemon.request("/beeuni/tools");
    const failed = new Map(
      body.failed.map((tool: { name: string; error: string }) => [tool.name, tool.error]),
    );
    assert.deepEqual([...failed.keys()].sort(), STATIC.map(([tool]) => tool).sort());
    for (const [tool, reason] of STATIC) {
      const error = failed.get(tool);
      assertReadable(error);
      assert.match(error, reason, tool);
    }
  },
});

Deno.test({
  name: "escape: remote imports, at run time",
  ...LENIENT,
  async fn() {
    await using server = new Listener();
    for (const way of await ways("import_remote")) {
      const error = await refused("import_remote", { way, url: server.url });
      assert.match(error, /remote imports are not available: install the package beside the module/, way);
    }
    assert.equal(server.connections, 0);
  },
});

Deno.test({
  name: "escape: the spill file of another session",
  ...LENIENT,
  async fn() {
    const { body } = await daemon.call("spills", { session: "hers" });
    const file: string = body.file;
    assert.match(Deno.readTextFileSync(file), /^of session hers\n/);
    for (const way of ["node_read_file_sync", "deno_read", "fetch_file", "node_readdir"]) {
      await refused("read_outside", { way, path: file });
    }
    const show = (session: string) =>
      daemon.call("show", { session, args: { action: "show", type: "file", path: file } });
    toolError(/^File (not found|is outside)/)(await show("his"));
    output(/"success": true/)(await show("hers"));
  },
});
