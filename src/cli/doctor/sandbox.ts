import { join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import type { Engine } from "../../engine/types.ts";
import { startHost } from "../../host/host.ts";
import type { ToolHost } from "../../host/types.ts";
import { createLogger } from "../../log/logger.ts";
import { readManifest } from "../../manifest/read.ts";
import { type Check, failedCheck } from "./check.ts";
import { LOOP_MODULE, PROBE_MANIFEST, PROBE_MODULE } from "./probe.ts";

/** A variable that the probe must not see. */
const SECRET_VARIABLE = "BEEUNI_DOCTOR_PROBE";

/** How long one attempt, and the endless loop, may take, in milliseconds. */
const ATTEMPT_MS = 10_000;
const LOOP_MS = 300;

/** What the probe answers. */
interface ProbeAnswer {
  refused: boolean;
  name: string;
  message: string;
}

/** Only what the sandbox itself says counts: a network that is down refuses as well, and proves nothing. */
const OWN_WORDS = /\bmay not\b|\bnot there\b|\bleaves the project\b/;

interface Attempt {
  name: string;
  args: Record<string, unknown>;
}

/**
 * Runs a real tool in a real sandbox and has it try what no tool may do: that it is refused is shown, not assumed.
 *
 * @param signal Ends the test early.
 */
export async function checkSandbox(engine: Engine, signal: AbortSignal): Promise<Check[]> {
  const base = await Deno.makeTempDir({ prefix: "beeuni-doctor-" });
  try {
    const root = join(base, "project");
    await Deno.mkdir(join(root, ".git"), { recursive: true });
    const outside = join(base, "outside.txt");
    await Deno.writeTextFile(outside, "outside");
    await Deno.writeTextFile(join(base, "outside.ts"), "export default 1");
    await Deno.writeTextFile(join(root, "probe.ts"), PROBE_MODULE);
    await Deno.writeTextFile(join(root, "loop.ts"), LOOP_MODULE);
    await Deno.writeTextFile(join(root, "beeuni.yaml"), PROBE_MANIFEST);
    // Stands for the daemon: a tool must not reach its port.
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    using _listener = listener;
    const { port } = listener.addr;
    await using host = startHost({
      manifest: readManifest({ project: root }),
      engine,
      stateDir: join(base, "state"),
      logger: createLogger({ level: "error" }),
      containerEnv: { ...Deno.env.toObject(), [SECRET_VARIABLE]: "seen" },
      daemonPort: port,
    });
    const attempts: Attempt[] = [
      { name: "read outside the project", args: { attempt: "read", path: outside } },
      { name: "read /proc/self/environ", args: { attempt: "read", path: "/proc/self/environ" } },
      { name: "write outside the project", args: { attempt: "write", path: outside } },
      { name: "write into .git", args: { attempt: "write", path: join(root, ".git", "config") } },
      { name: "import from outside", args: { attempt: "import", path: join(base, "outside.ts") } },
      // The one program that surely is on this machine.
      { name: "run a program", args: { attempt: "run", program: engine.deno } },
      { name: "load a library", args: { attempt: "library" } },
      { name: "see the environment", args: { attempt: "environment", name: SECRET_VARIABLE } },
      { name: "reach the daemon", args: { attempt: "connect", hostname: "127.0.0.1", port } },
      {
        name: "reach the cloud's metadata",
        args: { attempt: "connect", hostname: "169.254.169.254", port: 80 },
      },
      { name: "end the process", args: { attempt: "exit" } },
    ];
    const checks = [await checkRuns(host, signal)];
    // Nothing else can be said about a sandbox that does not start.
    if (checks[0]?.status !== "ok") return checks;
    for (const attempt of attempts) checks.push(await checkRefused(host, attempt, signal));
    checks.push(await checkStops(host, signal));
    return checks;
  } catch (error) {
    return [failedCheck("sandbox", error)];
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

async function checkRuns(host: ToolHost, signal: AbortSignal): Promise<Check> {
  const name = "sandbox: a tool runs";
  try {
    const { durationMs } = await callProbe(host, { attempt: "answer" }, signal);
    return { name, status: "ok", detail: `in ${Math.ceil(durationMs)} ms` };
  } catch (error) {
    const reason = host.catalogue().failed.find((tool) => tool.name === "probe")?.error;
    return failedCheck(name, reason ?? error);
  }
}

async function checkRefused(host: ToolHost, { name, args }: Attempt, signal: AbortSignal): Promise<Check> {
  const check = `sandbox: a tool can't ${name}`;
  try {
    const { output } = await callProbe(host, args, signal);
    const { refused, name: error, message } = JSON.parse(output) as ProbeAnswer;
    const ours = error === "NotCapable" || OWN_WORDS.test(message);
    return refused && ours ? refusedCheck(check) : { name: check, status: "failed", detail: message };
  } catch (error) {
    // Some attempts end the call itself.
    const ours = error instanceof BeeuniError && error.code === "tool_failed" &&
      OWN_WORDS.test(error.message);
    return ours ? refusedCheck(check) : failedCheck(check, error);
  }
}

function refusedCheck(name: string): Check {
  return { name, status: "ok", detail: "refused" };
}

/** An endless loop is answered at its deadline, and the next call works. */
async function checkStops(host: ToolHost, signal: AbortSignal): Promise<Check> {
  const name = "sandbox: an endless loop is stopped";
  try {
    await host.call({ tool: "loop", args: {}, agent: "beeuni", timeoutMs: LOOP_MS, signal });
    return { name, status: "failed", detail: "it ended by itself" };
  } catch (error) {
    if (!(error instanceof BeeuniError) || error.code !== "timed_out") return failedCheck(name, error);
  }
  const next = await checkRuns(host, signal);
  return { name, status: next.status, detail: next.status === "ok" ? `after ${LOOP_MS} ms` : next.detail };
}

function callProbe(host: ToolHost, args: Record<string, unknown>, signal: AbortSignal) {
  return host.call({ tool: "probe", args, agent: "beeuni", timeoutMs: ATTEMPT_MS, signal });
}
