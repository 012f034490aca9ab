import assert from "node:assert/strict";
import type { Answer, Daemon } from "./daemon.ts";
import { eventually, sleep } from "./eventually.ts";
import { processInfo, treeLoad, treeMemory } from "./processes.ts";

/** One thing a tool does to its host, and what has to be true then (specification 5.4). */
export interface Fault {
  name: string;
  /** One tool, or several that are called at once. */
  tool: string | readonly string[];
  args?: Record<string, unknown>;
  /** Default `beeuni`. */
  agent?: string;
  /** What the caller is told. */
  told: (answer: Answer) => void;
  /** How long the neighbours' calls go on after the answer, in milliseconds; default 100. */
  beyond?: number;
  /** The fault ends the process, so calls beside it may answer 502 the first time. */
  endsProcess?: boolean;
  /** What else has to be true afterwards. */
  after?: (daemon: Daemon) => void | Promise<void>;
}

/** Memory that a fault may leave behind: a runner or two of its own, never what it had taken. In bytes. */
const ALLOWANCE = 250 * 1024 * 1024;

/** Runs a fault with neighbours beside it; the second time they have to finish whatever it is. */
export async function survive(daemon: Daemon, fault: Fault): Promise<void> {
  const agent = fault.agent ?? "beeuni";
  // So that the runners are there before memory is measured.
  for (const who of [agent, "witness"]) await answersEcho(daemon, who);
  const before = { tree: treeMemory(daemon.pid), daemon: processInfo(daemon.pid)?.rss ?? 0 };
  await once(daemon, fault, agent, fault.endsProcess ?? false);
  await recovered(daemon, before);
  await fault.after?.(daemon);
  for (const who of [agent, "witness"]) await answersEcho(daemon, who);
  if (fault.endsProcess) {
    await once(daemon, fault, agent, false);
    await recovered(daemon, before);
    await answersEcho(daemon, agent);
  }
}

/** The fault between a neighbour of its own agent and one of another, both in flight from before it to after it. */
async function once(daemon: Daemon, fault: Fault, agent: string, mayDie: boolean): Promise<void> {
  const session = "neighbours";
  const until = `release-${crypto.randomUUID()}`;
  const sleeper = (who: string) => daemon.call("sleeper", { agent: who, session, args: { until } });
  const [beside, elsewhere] = [sleeper(agent), sleeper("witness")];
  try {
    await running(daemon, 2);
    const tools = typeof fault.tool === "string" ? [fault.tool] : fault.tool;
    const calls = tools.map((tool) => daemon.call(tool, { agent, session, args: fault.args ?? {} }));
    for (const answer of await Promise.all(calls)) fault.told(answer);
    await sleep(fault.beyond ?? 100);
  } finally {
    daemon.project.write(until, "");
  }
  const far = await elsewhere;
  assert.deepEqual([far.status, far.body.output], [200, "slept"], JSON.stringify(far.body));
  const near = await beside;
  if (mayDie && near.status === 502) {
    assert.equal(near.body.code, "sandbox_died");
    assert.equal(near.body.retryable, true);
  } else {
    assert.deepEqual([near.status, near.body.output], [200, "slept"], JSON.stringify(near.body));
  }
}

/** Settles once so many calls are in flight in the host. */
async function running(daemon: Daemon, calls: number): Promise<void> {
  await eventually(async () => {
    const metrics = await daemon.metrics();
    const inFlight = /^beeuni_\w*in_flight(?:\{[^}]*\})? (\d+)$/m.exec(metrics)?.[1];
    assert.equal(Number(inFlight), calls, `in flight: ${inFlight}`);
  }, { every: 20 });
}

/** The daemon is the same process and answers; processor and memory are back within 5 s. */
async function recovered(daemon: Daemon, before: { tree: number; daemon: number }): Promise<void> {
  assert.ok(processInfo(daemon.pid) !== undefined, "the daemon is gone");
  const health = await daemon.request("/beeuni/health");
  assert.deepEqual([health.status, health.body.status], [200, "ready"]);
  await eventually(() => {
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    const tree = treeMemory(daemon.pid);
    assert.ok(tree < before.tree + ALLOWANCE, `memory: ${mb(before.tree)} MB before, ${mb(tree)} MB after`);
    const own = processInfo(daemon.pid)?.rss ?? 0;
    assert.ok(
      own < before.daemon + 100e6,
      `the daemon's: ${mb(before.daemon)} MB before, ${mb(own)} MB after`,
    );
  });
  await eventually(async () => {
    const load = await treeLoad(daemon.pid, 250);
    assert.ok(load < 0.1, `processor: ${Math.round(load * 100)} % of one`);
  });
}

async function answersEcho(daemon: Daemon, agent: string): Promise<void> {
  const answer = await daemon.call("echo", { agent, args: { still: "here" } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(JSON.parse(answer.body.output), { still: "here" });
}
