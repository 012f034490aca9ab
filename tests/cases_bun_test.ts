import assert from "node:assert/strict";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { output, toolError } from "./support/told.ts";

// Bun interfaces, and imports as Bun allows them (specification 2.8), through the real sandbox.

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = new Project({ fixture: "cases/bun" });
  daemon = await startDaemon(project);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

Deno.test({
  name: "bun: imports without extension, .js for .ts, JSON and text without attribute",
  ...LENIENT,
  async fn() {
    const { status, body } = await daemon.call("imports");
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(JSON.parse(body.output), {
      word: "extension-less",
      written: ".js for .ts",
      folder: "an index file",
      data: 1,
      note: "a text file\n",
    });
  },
});

const SHA256_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

const USES: Record<string, unknown> = {
  same: true,
  env: ["TMPDIR"],
  file: {
    json: { n: 1 },
    text: '{ "n": 1 }\n',
    size: 11,
    exists: true,
    missing: false,
    type: "application/json;charset=utf-8",
    bytes: 11,
    buffer: 11,
    slice: '{ "',
    stream: '{ "n": 1 }\n',
  },
  write: [10, "schlüssel"],
  equal: [true, false],
  text: ["&lt;a href=&quot;x&quot;&gt;&amp;&#x27;&lt;/a&gt;", "/a b", "file:///a%20b"],
  inspect: true,
};

for (const [use, expected] of Object.entries(USES)) {
  Deno.test({
    name: `bun: ${use}`,
    ...LENIENT,
    async fn() {
      const { status, body } = await daemon.call("interfaces", { args: { use } });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(JSON.parse(body.output), expected);
    },
  });
}

const TEXTS: [use: string, check: ReturnType<typeof output>][] = [
  ["sleep", output("slept")],
  ["hash", output(SHA256_ABC)],
  ["version", output("string")],
  ["unknown", toolError(/^Bun\.serve is not available in this runtime: use \S/)],
  [
    "spawn",
    toolError(/interfaces may not run "echo": add it under tool_settings\.interfaces\.permissions\.run/),
  ],
];

for (const [use, check] of TEXTS) {
  Deno.test({
    name: `bun: ${use}`,
    ...LENIENT,
    fn: async () => check(await daemon.call("interfaces", { args: { use } })),
  });
}

Deno.test({
  name: "bun: programs, as far as they are granted",
  ...LENIENT,
  async fn() {
    const spawns = (use: string) => daemon.call("spawns", { args: { use } });
    output("spawned\n")(await spawns("spawn"));
    output("spawned at once\n")(await spawns("spawn_sync"));
    output("a b; id\n")(await spawns("shell"));
    toolError(/spawns may not run "sh": add it under tool_settings\.spawns\.permissions\.run/)(
      await spawns("sh"),
    );
  },
});

Deno.test({
  name: "bun: bun:sqlite and the like fail to load with the node: module to use",
  ...LENIENT,
  async fn() {
    const { body } = await daemon.request("/beeuni/tools");
    const failed = new Map<string, string>(
      body.failed.map(({ name, error }: { name: string; error: string }) => [name, error]),
    );
    assert.deepEqual([...failed.keys()].sort(), ["sqlite", "test_runner"]);
    assert.match(failed.get("sqlite") ?? "", /bun:sqlite.*node:sqlite/);
    assert.match(failed.get("test_runner") ?? "", /bun:test.*node:test/);
    for (const error of failed.values()) assertReadable(error);
  },
});
