import { stat } from "node:fs/promises";
import { MAX_SPILL_BYTES } from "../../../host/runner/bound_output.ts";
import type { HarnessTool, HarnessToolContext, HarnessToolResult } from "../harness_tool.ts";
import { locatePath } from "./locate_path.ts";
import { OutputCollector } from "./output_collector.ts";
import { type ProcessEnd, runProcess } from "./run_process.ts";
import { Slots } from "./slots.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Wall time of a command in milliseconds: what it is without `timeout`, and at most. */
const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

/** Longest command: the system takes 128 KiB as one argument. */
const MAX_COMMAND_BYTES = 120_000;

/**
 * Commands of one turn at once: to start one costs the daemon's loop 7 ms, and a model may ask for a thousand in one
 * message.
 */
const MAX_AT_ONCE = 8;

/** Where there is no bash, the shell that every system has. */
const SHELLS = ["bash", "sh"];

const DESCRIPTION =
  `Runs a shell command in the project's folder and returns what it prints (stdout and stderr).

- Each call starts a new shell: variables and \`cd\` don't last. To work in another folder of the project pass \`workdir\`.
- A command may take ${
    DEFAULT_TIMEOUT_MS / 1000
  } seconds; \`timeout\` sets another limit in milliseconds, at most ${MAX_TIMEOUT_MS}.
- Nothing can be typed into it: its input is closed. Don't start editors, pagers or prompts.
- When the command is over, what it left running in the background is ended.
- Long output is cut; the rest is in a file that the note names. Don't pipe to \`head\` or \`tail\` to shorten it.
- Use read, write, edit, glob and grep for files: they say more clearly what went wrong.
- Secrets of the project are not in its environment.`;

/**
 * `bash`: a command in the checkout. It is no sandbox: see docs/security.md.
 *
 * @param env The whole environment of the commands.
 */
export function bashTool(env: Readonly<Record<string, string>>): HarnessTool {
  const slots = new Slots(MAX_AT_ONCE);
  return {
    name: "bash",
    description: DESCRIPTION,
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command, as it is typed into a shell." },
        timeout: { type: "integer", minimum: 1, description: "Wall time in milliseconds. Default 120000." },
        workdir: { type: "string", description: "Folder to run it in. Default: the project's folder." },
        description: { type: "string", description: "What the command does, in 5 to 10 words." },
      },
      required: ["command"],
    },
    async execute(args, context) {
      using _slot = await slots.take(context.signal);
      return await run(new ToolArguments("bash", args), context, env);
    },
  };
}

async function run(
  args: ToolArguments,
  context: HarnessToolContext,
  env: Readonly<Record<string, string>>,
): Promise<HarnessToolResult> {
  const command = args.someText("command");
  if (command.includes("\0")) throw new Error("The command has a NUL character in it. Leave it out.");
  if (new TextEncoder().encode(command).length > MAX_COMMAND_BYTES) {
    throw new Error("The command is too long. Write it to a file of the project and run that.");
  }
  const timeoutMs = Math.min(args.optionalInteger("timeout", 1) ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
  const cwd = await workingFolder(args.optionalText("workdir"), context);
  using output = new OutputCollector({ folder: context.spillFolder, tool: "bash" });
  const end = await runProcess({
    programs: SHELLS,
    args: ["-c", command],
    cwd,
    env: { ...env, PWD: cwd },
    timeoutMs,
    signal: context.signal,
    onOutput: (chunk) => output.push(chunk),
  });
  context.signal.throwIfAborted();
  return await output.finish(statusOf(end, timeoutMs), end.code === 0 ? "(no output)" : "");
}

/** The folder a command runs in: a real folder of the checkout. */
async function workingFolder(
  workdir: string | undefined,
  { root, directory }: HarnessToolContext,
): Promise<string> {
  const { real, shown } = await locatePath(workdir || ".", { root, directory });
  const found = await stat(real).catch(() => undefined);
  if (found === undefined) {
    throw new Error(`The folder ${shown} does not exist. Make it first, or leave out workdir.`);
  }
  if (!found.isDirectory()) throw new Error(`${shown} is not a folder. Give a folder as workdir.`);
  return real;
}

/** How a command ended, as the last line; `""` when all went well. */
function statusOf({ by, code, signal }: ProcessEnd, timeoutMs: number): string {
  if (by === "timeout") {
    return `[The command was ended after ${timeoutMs} ms, its time limit. If it needs longer and does not wait for ` +
      `input, run it again with a larger timeout (at most ${MAX_TIMEOUT_MS}).]`;
  }
  if (by === "flooded") {
    return `[The command was ended: it printed more than ${MAX_SPILL_BYTES} bytes. Let it print less.]`;
  }
  if (signal !== undefined) return `[The command was ended by ${signal}.]`;
  return code === 0 ? "" : `[The command ended with exit code ${code}.]`;
}
