import { type DaemonProcess, startDaemonProcess } from "../daemon_process.ts";
import type { Program } from "../program.ts";
import { type ScriptedModel, scriptedPrompt, startScriptedModel } from "../scripted_model/scripted_model.ts";
import type { Figure } from "./figure.ts";
import { median } from "./percentile.ts";
import { residentMemory } from "./process_memory.ts";
import { benchProject, smallTools } from "./project.ts";

const ROUNDS = 30;
const MB = 1e6;

/**
 * A turn with two tool calls on the experimental harness, from the request for it to the end of it, without the time
 * that the model takes for its three answers; and what the first turn adds to the daemon's memory.
 */
export async function measureAgentTurn(program: Program): Promise<Figure[]> {
  await using model = await startScriptedModel();
  using project = benchProject(smallTools(1));
  const [tool] = Object.keys(smallTools(1));
  const env = { BEEUNI_MODEL_BASE_URL: model.url };
  await using daemon = await startDaemonProcess(program, { ...project, env });
  const prompt = scriptedPrompt([{ tool: tool! }, { tool: tool! }, { text: "done" }]);
  const memory = () => residentMemory(daemon.pid).now / MB;
  const atRest = memory();
  await turn(daemon, prompt);
  const grown = memory() - atRest;
  const turns: number[] = [];
  for (let round = 0; round < ROUNDS; round++) turns.push(await turn(daemon, prompt));
  return [
    {
      what: "turn with two tool calls, experimental harness, without the model's own time",
      value: median(turns) - await modelTime(model),
      unit: "ms",
      goal: { at: "most", limit: 20 },
    },
    { what: "what the first turn adds to the daemon's memory", value: grown, unit: "MB" },
  ];
}

/** Milliseconds of one turn in a session of its own. */
async function turn({ url, key }: DaemonProcess, prompt: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const began = performance.now();
  const answer = await fetch(`${url}/beeuni/sessions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ harness: "experimental", model: "scripted/model", prompt }),
  });
  const { session } = await answer.json() as { session?: { id: string } };
  if (session === undefined) throw new Error(`no session was made: HTTP ${answer.status}`);
  const events = await fetch(`${url}/beeuni/sessions/${session.id}/events`, { headers });
  let text = "";
  for await (const piece of events.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    // A turn that was over already is told of by the snapshot alone.
    if (/"type":"turn_end"|"state":"(?!running)\w+"/.test(text)) break;
  }
  const ms = performance.now() - began;
  if (!/"state":"completed"/.test(text)) throw new Error(`the turn failed: ${text.slice(-500)}`);
  return ms;
}

/** Milliseconds that the model takes for the three answers of a turn, asked without anything in between. */
async function modelTime(model: ScriptedModel): Promise<number> {
  const bodies = model.requests.slice(-3).map(({ raw }) => raw);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    for (const body of bodies) {
      const answer = await fetch(`${model.url}/chat/completions`, { method: "POST", body });
      await answer.text();
    }
    times.push(performance.now() - began);
  }
  return median(times);
}
