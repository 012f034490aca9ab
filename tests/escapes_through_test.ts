import assert from "node:assert/strict";
import { join } from "node:path";
import { type Daemon, startDaemon } from "./support/daemon.ts";
import { escapeProject, SENTINEL } from "./support/escape_project.ts";
import { isRunning } from "./support/processes.ts";
import type { Project } from "./support/project.ts";
import { assertReadable } from "./support/readable.ts";
import { snapshot } from "./support/snapshot.ts";
import { output } from "./support/told.ts";

/*
 * The escapes of the other two tables once more, each by code that came another way: an npm package, `node:` modules it
 * took at run time, a nested worker, dynamic code. Every pair is refused with a sentence, and what it wanted did not
 * happen.
 */

const CANARY = "canary-of-the-container-7b02";

let project: Project;
let daemon: Daemon;
let routes: string[];
let attempts: string[];
let runners: number[];
let before: string[];

Deno.test.beforeAll(async () => {
  project = escapeProject();
  daemon = await startDaemon(project, { env: { CANARY } });
  const { body } = await daemon.request("/beeuni/tools");
  const tool = body.tools.find(({ name }: { name: string }) => name === "through");
  assert.ok(tool !== undefined, JSON.stringify(body.failed));
  routes = tool.parameters.properties.route.enum;
  attempts = tool.parameters.properties.attempt.enum;
  output(/honest/)(await daemon.call("honest"));
  runners = daemon.runners();
  before = snapshot([project.root, project.outside]);
});

Deno.test.afterAll(async () => {
  await daemon.stop();
  project[Symbol.dispose]();
});

/** Routes by which code runs, as the tool's own does. */
const RUNNING = [
  "npm_package",
  "npm_package_commonjs",
  "eval",
  "function",
  "async_function",
  "generator_function",
  "data_import",
  "blob_import",
  "vm_this_context",
  "vm_new_context",
  "vm_script",
  "settimeout",
];

/** Routes that are closed themselves: no code runs by them. */
const CLOSED = [
  "written_module",
  "worker_data",
  "worker_blob",
  "worker_of_prototype",
  "worker_threads",
  "inspector_session",
];

Deno.test("escape: the table has every route that the tool knows", () => {
  assert.deepEqual(routes.toSorted(), [...RUNNING, ...CLOSED].toSorted());
});

for (const route of [...RUNNING, ...CLOSED]) {
  Deno.test({
    name: `escape by ${route}: every attempt is refused`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const input = {
        path: join(project.outside, "secret.txt"),
        link: project.path("data/link_to_outside/secret.txt"),
        module: `file://${join(project.outside, "secret.mjs")}`,
        file: join(project.outside, "secret.cjs"),
        base: `file://${project.path("tools/through.ts")}`,
        victim: join(project.outside, "victim.txt"),
        hook: project.path(".git/hooks/pre-commit"),
        addon: project.path("data/addon.node"),
        daemon: daemon.url,
      };
      for (const attempt of attempts) {
        const what = `${attempt} by ${route}`;
        const { status, body } = await daemon.call("through", { args: { route, attempt, input } });
        const answer = JSON.stringify(body);
        if (attempt === "control" && RUNNING.includes(route)) {
          assert.equal(status, 200, `${what}: ${answer}`);
          assert.equal(JSON.parse(body.output).got, "it/runs");
          continue;
        }
        assert.deepEqual([status, body.code], [422, "tool_failed"], `${what}: ${answer.slice(0, 1_000)}`);
        assertReadable(body.error);
        for (const secret of [SENTINEL, CANARY]) assert.ok(!answer.includes(secret), `${what}: ${answer}`);
      }
      assert.deepEqual(snapshot([project.root, project.outside]), before);
      for (const pid of runners) assert.ok(isRunning(pid), `${route} ended a runner`);
      await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port: 9229 }), "the inspector listens");
    },
  });
}
