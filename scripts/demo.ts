import { join } from "node:path";
import { parseArgs } from "node:util";
import { type DaemonProcess, postCall, startDaemonProcess } from "./daemon_process.ts";
import { publishedExample } from "./demo/published_example.ts";
import { Report } from "./demo/report.ts";
import { runBeeuni } from "./demo/run_beeuni.ts";
import { ORDERS_KEYS, type OrdersApi, startOrdersApi } from "./orders/api.ts";
import { copyOrdersProject, type OrdersProject } from "./orders/copy_project.ts";
import { opencodeProgram } from "./opencode_program.ts";
import { executable, type Program, SOURCE } from "./program.ts";

// `deno task demo`: the main job end to end on a copy of fixtures/orders (specification 5.2). With `--bin FILE` on
// the executable. It exits 1 when something is not as promised, and by itself within a minute.

const DEADLINE_MS = 55_000;
/** How long OpenCode may take to come from the npm registry. */
const FETCH_MS = 25_000;
/** For the case that the deadline ends everything in the middle of a step. */
const cleanUps: (() => void)[] = [];

/** What the steps share. */
interface Tour {
  report: Report;
  project: OrdersProject;
  api: OrdersApi;
  daemon: DaemonProcess;
}

async function tour(program: Program): Promise<number> {
  const start = performance.now();
  const opencode = opencodeProgram(AbortSignal.timeout(FETCH_MS)).catch((error: Error) => error);
  const report = new Report();
  using project = copyOrdersProject();
  cleanUps.push(() => project[Symbol.dispose]());
  await using api = startOrdersApi(project.root);
  const tmp = join(project.base, "tmp"), state = join(project.base, "state");
  Deno.mkdirSync(tmp);
  const secrets = join(project.base, "secrets.env");
  Deno.writeTextFileSync(
    secrets,
    Object.entries(ORDERS_KEYS).map(([name, value]) => `${name}=${value}\n`).join(""),
  );
  const env = { BEEUNI_STATE_DIR: state, TMPDIR: tmp };

  await report.step(
    "The project declares its tools in beeuni.yaml; `beeuni tools ls` lists them",
    async () => {
      const list = await runBeeuni(program, project.root, ["tools", "ls"], env);
      report.say(list.stdout);
      report.promise(
        "three Beeuni tools and eight of the project",
        list.code === 0 && rows(list.stdout) === 11,
        list,
      );
    },
  );
  await report.step(
    "`beeuni validate --load` checks the manifest and loads each module in its sandbox",
    async () => {
      const valid = await runBeeuni(program, project.root, ["validate", "--load"], env);
      report.promise("beeuni.yaml is valid and every module loads", valid.code === 0, valid);
    },
  );
  const origins = { ORDERS_ORIGIN: api.origin, WEATHER_ORIGIN: api.origin };
  const place = { root: project.root, state, tmp, env: origins };
  await using daemon = await startDaemonProcess(program, place, ["--env-file", secrets]);
  cleanUps.unshift(() => Deno.kill(daemon.pid, "SIGKILL"));
  const shared: Tour = { report, project, api, daemon };
  for (const [title, work] of STEPS) await report.step(title, () => work(shared));
  await report.step(
    "The published example: a secret, a tool, a session, its log, on both harnesses",
    () =>
      publishedExample({
        report,
        program,
        base: project.base,
        origin: api.origin,
        opencode,
        onDeadline: (end) => cleanUps.unshift(end),
      }),
  );
  return report.end((performance.now() - start) / 1000);
}

const STEPS: [title: string, work: (tour: Tour) => Promise<void>][] = [
  ["`beeuni daemon` serves the tools over HTTP on this machine", served],
  ["A project tool asks an HTTP API, with a secret that only `context.env` holds", projectTool],
  ["A Beeuni tool, memory, in the same kind of sandbox", beeuniTool],
  ["Modules with a relative helper, with a package from node_modules, and in CommonJS", otherKinds],
  ["A tool tries to leave its sandbox", breakOut],
  ["A tool with a large output", largeOutput],
  ["A call is aborted while the tool waits for an API that never answers", aborted],
  ["Other agents have other tools and other secrets", otherAgents],
  ["The daemon is told to stop", stopped],
];

async function served({ report, daemon }: Tour): Promise<void> {
  report.promise(`ready after ${daemon.readyMs.toFixed(0)} ms`, daemon.readyMs < 10_000, daemon.readyMs);
  const stranger = await fetch(`${daemon.url}/beeuni/tools`);
  await stranger.body?.cancel();
  report.promise("whoever has no key is refused (401)", stranger.status === 401, stranger.status);
}

async function stopped({ report, daemon }: Tour): Promise<void> {
  const code = await daemon.stop();
  report.promise("it ended in an orderly way", code === 0, code);
}

/** Lines of the table of `tools ls`, without its head. */
function rows(listing: string): number {
  return (listing.split("\n\n")[0] ?? "").trimEnd().split("\n").length - 1;
}

async function projectTool({ report, daemon }: Tour): Promise<void> {
  const order = await postCall(daemon, "lookup_order", { args: { id: "A-1042" } });
  report.say(String(order.body.output));
  report.promise(
    "lookup_order found order A-1042",
    order.status === 200 && status(order.body.output) === "shipped",
    order,
  );
  const missing = await postCall(daemon, "lookup_order", { args: { id: "A-9999" } });
  report.promise(
    "what a tool throws is its error: orders API answered 404",
    missing.status === 422 && missing.body.error === "orders API answered 404",
    missing,
  );
}

function status(output: unknown): unknown {
  try {
    return JSON.parse(String(output)).status;
  } catch {
    return undefined;
  }
}

async function beeuniTool({ report, daemon, project }: Tour): Promise<void> {
  const path = "memory/orders.md";
  const created = await postCall(daemon, "memory", {
    args: { command: "create", path, file_text: "A-1042 goes to Berlin.\n" },
  });
  report.promise(
    `File created successfully at: ${path}`,
    created.body.output === `File created successfully at: ${path}`,
    created,
  );
  const kept = Deno.readTextFileSync(join(project.root, path));
  report.promise("the note is in the project's memory folder", kept === "A-1042 goes to Berlin.\n", kept);
}

async function otherKinds({ report, daemon }: Tour): Promise<void> {
  const cases: [tool: string, args: unknown, output: string][] = [
    ["order_summary", {}, '{\n  "shipped": 2,\n  "packed": 1\n}'],
    ["order_total", { id: "A-1043" }, "89.88 EUR"],
    ["stock_level", { sku: "SMOKER" }, '{\n  "sku": "SMOKER",\n  "in_stock": 3\n}'],
    [
      "weather_now",
      { city: "Berlin" },
      '{\n  "city": "Berlin",\n  "temperature_c": 4.5,\n  "conditions": "light rain"\n}',
    ],
  ];
  for (const [tool, args, output] of cases) {
    const answer = await postCall(daemon, tool, { args });
    report.promise(`${tool}: ${output.replace(/\s+/g, " ")}`, answer.body.output === output, answer);
  }
}

async function breakOut({ report, daemon, project }: Tour): Promise<void> {
  const attempts = ["read_outside", "read_through_fetch", "import_outside", "write_outside", "git_hook"];
  attempts.push("rewrite_a_tool", "run_a_program", "environment", "process_environment", "exit", "daemon");
  for (const how of attempts) {
    const args = { how, url: `${daemon.url}/beeuni/health` };
    const { status, body } = await postCall(daemon, "break_out", { args });
    report.promise(`${how}: ${body.error}`, status === 422, { status, body });
  }
  const untouched = !isThere("/var/tmp/beeuni-break-out") &&
    !isThere(join(project.root, ".git/hooks/pre-commit"));
  report.promise("nothing was written outside or into .git", untouched, "a file was written");
  const after = await postCall(daemon, "order_total", { args: { id: "A-1042" } });
  report.promise("the daemon goes on: the next call is answered", after.body.output === "19.98 EUR", after);
}

async function largeOutput({ report, daemon }: Tour): Promise<void> {
  const { status, body } = await postCall(daemon, "export_orders", { args: { rows: 5000 } });
  const output = String(body.output), size = new TextEncoder().encode(output).length;
  report.promise(
    `of ${body.bytes} bytes the model gets ${size} and where the rest is`,
    status === 200 && body.truncated === true && size <= 51_200 &&
      output.includes(`The whole output is in ${body.file}`),
    { ...body, output: output.slice(-300) },
  );
  const whole = typeof body.file === "string" ? Deno.readTextFileSync(body.file) : "";
  report.promise("the file has all 5000 lines", whole.split("\n").length === 5000, whole.slice(0, 200));
}

async function aborted({ report, daemon, api }: Tour): Promise<void> {
  const leave = new AbortController();
  const over = postCall(daemon, "wait_for_delivery", { args: { id: "A-1042" } }, leave.signal).catch(() =>
    "left"
  );
  const early = await Promise.race([api.waiting, over]);
  if (early !== undefined) return report.promise("the tool waits for the API", false, early);
  const start = performance.now();
  leave.abort(); // as a client that hangs up
  await over;
  const closed = await Promise.race([api.closed.then(() => true), later(5000).then(() => false)]);
  report.promise(
    `the tool's signal ended its request: the API saw the connection close after ${
      (performance.now() - start).toFixed(0)
    } ms`,
    closed,
    "the connection is still open",
  );
}

async function otherAgents({ report, daemon }: Tour): Promise<void> {
  const support = await postCall(daemon, "lookup_order", { agent: "support", args: { id: "A-1042" } });
  report.promise("support has lookup_order and its key", support.status === 200, support);
  const keyless = await postCall(daemon, "weather_now", { agent: "support", args: { city: "Berlin" } });
  report.promise(
    "support has no WEATHER_API_KEY: weather_now says so",
    keyless.status === 422 && String(keyless.body.error).startsWith("WEATHER_API_KEY is not set"),
    keyless,
  );
  const denied = await postCall(daemon, "break_out", { agent: "support", args: { how: "exit" } });
  report.promise(`${denied.body.error} (403)`, denied.status === 403, denied);
  const none = await postCall(daemon, "memory", { agent: "greeter" });
  report.promise(`${none.body.error} (403)`, none.status === 403, none);
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function later(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

const { values } = parseArgs({ options: { bin: { type: "string" } } });
const late = setTimeout(() => {
  new Report().promise("the demo ends within a minute", false, "it still runs");
  for (const cleanUp of cleanUps) cleanUp();
  Deno.exit(1);
}, DEADLINE_MS);
const code = await tour(values.bin === undefined ? SOURCE : executable(values.bin));
clearTimeout(late);
Deno.exit(code);
