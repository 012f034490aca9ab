import { join } from "node:path";
import { ORDERS_KEYS } from "../orders/api.ts";
import type { Program } from "../program.ts";
import { offeredTools, startScriptedModel } from "../scripted_model/scripted_model.ts";
import type { Report } from "./report.ts";
import { type CommandRun, runBeeuni } from "./run_beeuni.ts";

/** What the example works with. */
export interface ExampleOptions {
  report: Report;
  program: Program;
  /** An empty folder of its own. */
  base: string;
  /** The API with the weather. */
  origin: string;
  /** The path of OpenCode, or why it is not to be had. */
  opencode: Promise<string | Error>;
  /** Called at the deadline, should the example still run. */
  onDeadline: (end: () => void) => void;
}

const PROMPT = "Call the weather_now tool once with city Berlin and print its output.";
const OUTPUT = '{\n  "city": "Berlin",\n  "temperature_c": 4.5,\n  "conditions": "light rain"\n}';
const FIXTURE = join(import.meta.dirname!, "../../fixtures/orders");

/**
 * The published example from an empty folder to the log of a session, on both harnesses, by commands alone. Its weather
 * API and its model are on this machine: the model does what a script says.
 */
export async function publishedExample(options: ExampleOptions): Promise<void> {
  const { report, program, base, origin, opencode } = options;
  const root = join(base, "example"), state = join(base, "example-state");
  Deno.mkdirSync(join(root, "tools"), { recursive: true });
  await using model = await startScriptedModel();
  model.on(PROMPT, [{ tool: "weather_now", args: { city: "Berlin" } }, { echo: true }]);
  const found = await opencode;
  const env = {
    BEEUNI_STATE_DIR: state,
    BEEUNI_MODEL_BASE_URL: model.url,
    BEEUNI_MODEL_API_KEY: "",
    WEATHER_ORIGIN: origin,
    TMPDIR: join(base, "tmp"),
    ...(typeof found === "string" ? { BEEUNI_OPENCODE: found } : {}),
  };
  const beeuni = (args: string[], stdin?: string) => runBeeuni(program, root, args, env, stdin);
  options.onDeadline(() => endDaemon(state));

  try {
    const begun = await beeuni(["init"]);
    report.promise("`beeuni init` writes beeuni.yaml", begun.code === 0, begun);
    Deno.copyFileSync(join(FIXTURE, "tools/weather_now.ts"), join(root, "tools/weather_now.ts"));
    declareTool(join(root, "beeuni.yaml"));
    const valid = await beeuni(["validate", "--load"]);
    report.promise("weather_now is declared, and loads", valid.code === 0, valid);
    const stored = await beeuni(["secrets", "set", "WEATHER_API_KEY=-"], `${ORDERS_KEYS.WEATHER_API_KEY}\n`);
    report.promise(
      "`beeuni secrets set WEATHER_API_KEY=-` takes the key from stdin",
      stored.code === 0,
      stored,
    );

    await session("experimental", report, beeuni);
    if (typeof found === "string") {
      await session("standard", report, beeuni);
      const offered = model.turns().at(-1)?.body;
      // A tool that only OpenCode has.
      const is = offered !== undefined && offeredTools(offered).includes("todowrite");
      report.promise("standard: it was OpenCode that talked to the model", is, offered);
    } else report.say(`OpenCode can't be had here, so the standard harness is left out: ${found.message}`);

    const stopped = await beeuni(["daemon", "stop"]);
    report.promise("the daemon that the first session started is told to stop", stopped.code === 0, stopped);
  } finally {
    endDaemon(state);
  }
}

async function session(
  harness: string,
  report: Report,
  beeuni: (args: string[]) => Promise<CommandRun>,
): Promise<void> {
  report.say(`$ beeuni sessions new --harness ${harness} --wait --prompt "${PROMPT}"`);
  const turn = await beeuni(["sessions", "new", "--harness", harness, "--wait", "--prompt", PROMPT]);
  report.say(turn.stdout);
  report.promise(
    `${harness}: the agent called weather_now and printed its output`,
    turn.code === 0 && turn.stdout.includes(OUTPUT),
    turn,
  );
  const id = turn.stdout.split("\n")[0] ?? "";
  report.say(`$ beeuni sessions log ${id}`);
  const log = await beeuni(["sessions", "log", id]);
  report.say(log.stdout);
  report.promise(
    `${harness}: the log shows the call, and no key`,
    /^\[weather_now · completed · \d+ ?ms\]$/m.test(log.stdout) &&
      !log.stdout.includes(ORDERS_KEYS.WEATHER_API_KEY),
    log,
  );
}

/** Adds the tool's line, and the agent's model. */
function declareTool(path: string): void {
  const text = Deno.readTextFileSync(path)
    .replace(/^tools:.*$/m, "$&\n  weather_now: tools/weather_now.ts")
    .replace(/^ {2}beeuni:$/m, "$&\n    model: demo/scripted");
  Deno.writeTextFileSync(path, text);
}

/** Ends the daemon of a state folder, if one runs. */
function endDaemon(state: string): void {
  try {
    Deno.kill(JSON.parse(Deno.readTextFileSync(join(state, "daemon.json"))).pid, "SIGTERM");
  } catch {
    // None was started, or it is over.
  }
}
