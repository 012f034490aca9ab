import assert from "node:assert/strict";
import { join } from "node:path";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { escapeProject, SENTINEL } from "./support/escape_project.ts";
import { eventually } from "./support/eventually.ts";
import { httpAnswer, Listener } from "./support/listener.ts";
import { processTree } from "./support/processes.ts";
import type { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { output } from "./support/told.ts";

// Programs, the environment, the network, descriptors and the realm (specification 2.3, 2.4, 5.4).

const CANARY = "canary-of-the-container-9c21";
const SECRET = "secret-of-the-customer-77aa";
const TOKEN = "token-of-the-platform-31fe";

let project: Project;
let daemon: Daemon;

Deno.test.beforeAll(async () => {
  project = escapeProject();
  const envFile = join(project.base, "secrets.env");
  Deno.writeTextFileSync(envFile, `CUSTOMER_KEY=${SECRET}\n`);
  daemon = await startDaemon(project, {
    args: ["--env-file", envFile],
    env: { CANARY, BEEUNI_TOKEN: TOKEN },
  });
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

const LENIENT = { sanitizeOps: false, sanitizeResources: false };

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
  return body.error;
}

/** The neighbour works, on its own code and with its own rights. */
async function honestWorks(): Promise<void> {
  const { status, body } = await daemon.call("honest");
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(JSON.parse(body.output), { word: "honest", cwd: true, read: "written" });
}

Deno.test({
  name: "escape: programs",
  ...LENIENT,
  async fn() {
    const marker = join(project.outside, "a-program-ran");
    const inside = project.path("data/a-program-ran");
    for (const way of await ways("programs")) {
      for (const path of [marker, inside]) {
        const error = await refused("programs", { way, path });
        // Node's `spawnSync` in Deno says nothing of the reason: all there is to see is that nothing ran.
        if (!["node_cluster", "node_spawn_sync"].includes(way)) {
          assert.match(error, /tool_settings\.programs\.permissions\.run/, `${way}: ${error}`);
        }
        await assert.rejects(Deno.stat(path), way);
      }
    }
    const names = processTree(daemon.pid).map(({ pid }) => Deno.readTextFileSync(`/proc/${pid}/comm`).trim());
    assert.ok(names.every((name) => /deno|beeuni/i.test(name)), `children: ${names}`);
  },
});

Deno.test({
  name: "escape: a refused program is told as the specification words it",
  ...LENIENT,
  async fn() {
    const error = await refused("programs", { way: "deno_output", path: "/nowhere" });
    assert.equal(error, 'programs may not run "touch": add it under tool_settings.programs.permissions.run');
  },
});

Deno.test({
  name: "escape: the system, and native code",
  ...LENIENT,
  async fn() {
    for (const way of await ways("system")) {
      const error = await refused("system", { way });
      if (/^(deno|node)_(?!dlopen)/.test(way)) {
        assert.match(error, /tool_settings\.system\.permissions\.sys/, `${way}: ${error}`);
      }
    }
  },
});

Deno.test({
  name: "escape: the environment and the arguments of the process",
  ...LENIENT,
  async fn() {
    const { status, body } = await daemon.call("environment");
    assert.equal(status, 200, JSON.stringify(body));
    const { args, deno_get, ...environments } = JSON.parse(body.output);
    for (const [name, environment] of Object.entries(environments)) {
      assert.deepEqual(Object.keys(environment as object), ["TMPDIR"], name);
    }
    assert.deepEqual(deno_get, [null, null, null, null, null]);
    for (const value of [CANARY, SECRET, TOKEN, daemon.key, project.state]) {
      assert.ok(!JSON.stringify(args).includes(value), "a secret in the arguments");
    }
    // What the kernel shows of every runner: no secret in its environment or its arguments.
    for (const pid of daemon.runners()) {
      for (const file of ["environ", "cmdline"]) {
        const text = Deno.readTextFileSync(`/proc/${pid}/${file}`);
        for (const value of [CANARY, SECRET, TOKEN, daemon.key]) assert.ok(!text.includes(value), file);
      }
    }
  },
});

Deno.test({
  name: "escape: the secrets of another agent",
  ...LENIENT,
  async fn() {
    const knows = async (agent: string) => {
      const { body } = await daemon.call("keeps_secret", { agent });
      return JSON.parse(body.output);
    };
    assert.deepEqual(await knows("customer"), { kept: SECRET, global: SECRET, env: SECRET });
    assert.deepEqual(await knows("beeuni"), { kept: null, global: null, env: null });
    assert.deepEqual(await knows("customer"), { kept: SECRET, global: SECRET, env: SECRET });
  },
});

/** Every spelling of this machine that a resolver or a URL parser may turn into a loopback address. */
const LOOPBACK = [
  "127.0.0.1",
  "localhost",
  "0.0.0.0",
  "127.1",
  "2130706433",
  "0x7f000001",
  "017700000001",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::1]",
  "[::]",
];
/** Refused, and by whom: `node:net` puts a code of its own in place of the reason when it has to resolve a name. */
const CLOSED = /may not connect to|getaddrinfo EPERM/;
/** Errors of these say nothing of their cause. */
const MUTE = ["event_source", "web_socket", "node_udp"];

Deno.test({
  name: "escape: the daemon's port",
  ...LENIENT,
  async fn() {
    await using redirecting = new Listener({
      answer: httpAnswer("", { location: `http://127.0.0.1:${daemon.port}/beeuni/health` }, 302),
    });
    for (const way of await ways("network")) {
      for (const host of ["127.0.0.1", "0.0.0.0"]) {
        const error = await refused("network", { way, host, port: daemon.port, redirect: redirecting.url });
        if (!MUTE.includes(way)) {
          assert.match(error, /network may not connect to/, `${way} ${host}: ${error}`);
        }
      }
    }
    for (const host of LOOPBACK) {
      for (const way of ["fetch", "deno_connect", "node_net"]) {
        const error = await refused("network", { way, host, port: daemon.port });
        assert.match(error, CLOSED, `${way} ${host}: ${error}`);
      }
    }
  },
});

Deno.test({
  name: "escape: the inspector's port, where somebody listens",
  ...LENIENT,
  async fn() {
    let inspector: Listener;
    try {
      inspector = new Listener({ hostname: "0.0.0.0", port: 9229, answer: httpAnswer("[]") });
    } catch {
      // Somebody else on this machine has the port; then nobody counts, and the refusals count all the same.
      inspector = new Listener();
    }
    await using _ = inspector;
    for (const host of LOOPBACK) {
      for (const way of ["fetch", "deno_connect", "node_net"]) {
        const error = await refused("network", { way, host, port: 9229 });
        assert.match(error, CLOSED, `${way} ${host}: ${error}`);
      }
    }
    await refused("network", { way: "web_socket", host: "127.0.0.1", port: 9229 });
    assert.equal(inspector.connections, 0);
  },
});

Deno.test({
  name: "escape: the metadata addresses of clouds",
  ...LENIENT,
  async fn() {
    const hosts = [
      "169.254.169.254",
      "2852039166",
      "[::ffff:169.254.169.254]",
      "100.100.100.200",
      "[fd00:ec2::254]",
    ];
    for (const host of hosts) {
      for (const way of ["fetch", "deno_connect"]) {
        const error = await refused("network", { way, host, port: 80 });
        assert.match(error, CLOSED, `${way} ${host}: ${error}`);
      }
    }
  },
});

Deno.test({
  name: "escape: other addresses stay open, or the rows above say nothing",
  ...LENIENT,
  async fn() {
    await using server = new Listener({ answer: httpAnswer("{}") });
    for (const way of ["fetch", "deno_connect", "node_net", "node_http"]) {
      const { status, body } = await daemon.call("network", {
        args: { way, host: "127.0.0.1", port: server.port },
      });
      assert.equal(status, 200, JSON.stringify(body));
    }
    assert.equal(server.connections, 4);
  },
});

Deno.test({
  name: "escape: a unix socket outside",
  ...LENIENT,
  async fn() {
    const path = join(project.outside, "socket");
    using listener = Deno.listen({ transport: "unix", path });
    let connections = 0;
    const accepting = (async () => {
      for await (const connection of listener) {
        connections++;
        connection.close();
      }
    })().catch(() => {});
    for (const way of ["deno", "node"]) await refused("unix_socket", { way, path });
    assert.equal(connections, 0);
    listener.close();
    await accepting;
  },
});

Deno.test({
  name: "escape: the runner's channel and the sockets of neighbours, by descriptor",
  ...LENIENT,
  async fn() {
    await using server = new Listener();
    output("kept")(await daemon.call("keeps_socket", { args: { port: server.port } }));
    let own = "own ";
    for (const way of await ways("descriptors")) {
      await refused("descriptors", { way });
      // The channel still carries what it should, and the neighbour's connection only what is its own.
      await honestWorks();
      output("kept")(await daemon.call("keeps_socket", { args: { port: server.port } }));
      own += "own ";
      await eventually(() => assert.equal(server.received, own, way));
    }
    assert.equal(server.connections, 1);
  },
});

Deno.test({
  name: "escape: chdir, caches, channels, workers, the inspector",
  ...LENIENT,
  async fn() {
    for (const way of await ways("realm")) {
      await refused("realm", { way });
      await honestWorks();
    }
    await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port: 9229 }), "the inspector listens");
  },
});

Deno.test({
  name: "escape: Deno.permissions.request",
  ...LENIENT,
  async fn() {
    const path = join(project.outside, "secret.txt");
    const { status, body } = await daemon.call("permissions", { args: { path } });
    assert.equal(status, 200, JSON.stringify(body));
    const { states, got } = JSON.parse(body.output);
    for (const right of ["read", "write", "env", "run", "ffi", "sys", "import"]) {
      assert.notEqual(states[right], "granted", right);
    }
    assert.equal(got, null);
    assert.ok(!body.output.includes(SENTINEL));
  },
});

Deno.test({
  name: "escape: rights that one gives up stay its neighbour's",
  ...LENIENT,
  async fn() {
    await honestWorks();
    output("gave up")(await daemon.call("gives_up_rights"));
    await honestWorks();
  },
});

Deno.test({
  name: "escape: module hooks reach no neighbour",
  ...LENIENT,
  async fn() {
    await daemon.call("hooks");
    await honestWorks();
    // A neighbour that is loaded only now reads its own source.
    project.write(
      "tools/honest.ts",
      project.read("tools/honest.ts").replace("Does what it says.", "Does it again."),
    );
    const { body } = await daemon.reload();
    assert.deepEqual(body.changed, ["honest"]);
    await honestWorks();
    const list = await daemon.request("/beeuni/tools");
    const honest = list.body.tools.find((tool: { name: string }) => tool.name === "honest");
    assert.equal(honest.description, "Does it again.");
  },
});
