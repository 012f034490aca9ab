import { callTool, startDaemonProcess } from "../daemon_process.ts";
import type { Figure } from "./figure.ts";
import { percentile } from "./percentile.ts";
import type { Program } from "../program.ts";
import { benchProject, toolModule } from "./project.ts";

const ROUNDS = 300;

// The tool keeps, in its module, when each signal aborted; the clocks of all processes of one machine are one.
const MODULE = `const aborted: Record<string, number> = {}
${
  toolModule(`if (args.text === 'times') return aborted
    const name = args.text ?? ''
    await new Promise<void>((done) => {
      context.signal.addEventListener('abort', () => {
        aborted[name] = performance.timeOrigin + performance.now()
        done()
      })
    })`)
}`;

/** From the request that cancels a call (`DELETE /beeuni/calls/:id`) to the tool's `context.signal`. */
export async function measureAbort(program: Program): Promise<Figure[]> {
  using project = benchProject({ wait: MODULE });
  await using daemon = await startDaemonProcess(program, project);
  const headers = { authorization: `Bearer ${daemon.key}` };
  await callTool(daemon, "wait", { args: { text: "times" } });
  const sent: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const call = `call_${round}`;
    const over = callTool(daemon, "wait", { call, args: { text: call } }).catch(() => {});
    await new Promise((done) => setTimeout(done, 5)); // the tool is waiting by then
    sent[call] = performance.timeOrigin + performance.now();
    const response = await fetch(`http://127.0.0.1:${daemon.port}/beeuni/calls/${call}`, {
      method: "DELETE",
      headers,
    });
    if (response.status !== 202) {
      throw new Error(`DELETE answered ${response.status}: ${await response.text()}`);
    }
    await response.body?.cancel();
    await over;
  }
  const { output } = await callTool(daemon, "wait", { args: { text: "times" } });
  const aborted = JSON.parse(String(output)) as Record<string, number>;
  const times = Object.entries(sent).map(([call, at]) => {
    const seen = aborted[call];
    if (seen === undefined) throw new Error(`the tool saw no abort of ${call}`);
    return seen - at;
  });
  return [{
    what: "abort: request to `context.signal`, p99",
    value: percentile(times, 0.99),
    unit: "ms",
    goal: { at: "most", limit: 5 },
  }];
}
