import { BeeuniError } from "../../errors/error.ts";
import { findManifest } from "../../manifest/find_manifest.ts";
import type { SessionRecord } from "../../sessions/types.ts";
import type { CommonOptions } from "../command.ts";
import { interruption, unlessAborted } from "../interruption.ts";
import { projectStateDirectory } from "../open_project.ts";
import type { Output } from "../output.ts";
import { parseTimeout } from "../parse_timeout.ts";
import { isAttended } from "./attended.ts";
import { givenPrompt } from "./given_prompt.ts";
import { SessionApi } from "./session_api.ts";
import { ensureDaemon } from "./start_daemon.ts";
import { waitForTurn } from "./wait_for_turn.ts";

/** Options of a command that gives an agent a prompt. */
export interface PromptOptions extends CommonOptions {
  /** The text, or `-` for stdin. */
  prompt?: string;
  wait?: boolean;
  timeout?: string;
}

/** What the daemon made of the prompt. */
export interface Begun {
  session: SessionRecord;
  /** Why this harness, when it is not the usual one. */
  because?: string;
  /** Whether the harness was left to the daemon: it is said which one it took. */
  chosen?: boolean;
}

/** What a command sends to the daemon. */
export interface Beginning {
  prompt?: string;
  attended: boolean;
  signal: AbortSignal;
}

/**
 * Gives a prompt to a session, new or not, in a daemon that is started when none runs; then prints its id, and with
 * `--wait` the answer (specification 4.4).
 *
 * @param begin Sends it.
 * @returns The exit code: 0 when the turn ended well or is not waited for, 1 when it failed or was stopped, 124 on
 *   `--timeout`, 130 on Ctrl-C.
 * @throws {BeeuniError} `usage`, `no_manifest`, `daemon_not_running`, `aborted`, what the daemon answers.
 */
export async function promptTurn(
  options: PromptOptions,
  output: Output,
  begin: (api: SessionApi, beginning: Beginning) => Promise<Begun>,
): Promise<number> {
  const timeout = checkedTimeout(options);
  using interrupted = interruption();
  const { signal } = interrupted;
  const given = options.prompt;
  const prompt = given === undefined
    ? undefined
    : await unlessAborted(givenPrompt(given, () => openStdin(output)), signal, cancelled);
  const root = findManifest(options.project === undefined ? {} : { project: options.project });
  const stateDir = await projectStateDirectory(root);
  const { api, session, because, chosen } = await begun();
  if (chosen) {
    output.note(`the harness is ${session.harness}${because === undefined ? "." : `: ${because}`}`);
  }
  if (!options.wait) {
    if (output.json) {
      output.document({ ...withoutQuestions(session), ...(because === undefined ? {} : { because }) });
    } else output.write(`${session.id}\n`);
    return 0;
  }
  if (!output.json) output.write(`${session.id}\n`);
  const turn = await waitForTurn({
    api,
    stateDir,
    session,
    output,
    interrupted: signal,
    ...(timeout === undefined ? {} : { timeout }),
  });
  const { exitCode, error, code, hint } = turn.outcome;
  if (output.json) {
    output.document({
      ...withoutQuestions(turn.session),
      ...(because === undefined ? {} : { because }),
      messages: turn.messages,
      ...(error === undefined ? {} : { error, code }),
    });
  } else if (error !== undefined) {
    output.note(`beeuni: ${error}`);
    if (hint !== undefined) output.note(`  → ${hint}`);
  }
  return exitCode;

  async function begun(): Promise<Begun & { api: SessionApi }> {
    using progress = output.progress("beeuni looks for the daemon");
    const attended = !options.wait || isAttended();
    try {
      const api = new SessionApi(
        await ensureDaemon({ root, stateDir, signal, onStart: () => progress.update("the daemon starts") }),
      );
      progress.update("the session begins");
      return { api, ...await begin(api, { attended, signal, ...(prompt === undefined ? {} : { prompt }) }) };
    } catch (error) {
      throw signal.aborted ? cancelled() : error;
    }
  }
}

function checkedTimeout({ wait, prompt, timeout }: PromptOptions): { ms: number; text: string } | undefined {
  if (wait && prompt === undefined) {
    throw new BeeuniError("usage", "--wait needs a prompt: without one there is no answer to wait for.", {
      hint: "Give one with --prompt.",
    });
  }
  if (timeout === undefined) return undefined;
  if (!wait) {
    throw new BeeuniError("usage", "--timeout needs --wait.", { hint: "Add --wait, or leave it out." });
  }
  return { ms: parseTimeout(timeout), text: timeout };
}

/** Questions come and go; `sessions ls` has those that wait. */
function withoutQuestions(session: SessionRecord & { questions?: unknown }): SessionRecord {
  const { questions: _, ...record } = session;
  return record;
}

function openStdin(output: Output): ReadableStream<Uint8Array> {
  if (Deno.stdin.isTerminal()) output.note("Give the prompt, then press Enter and Ctrl-D.");
  return Deno.stdin.readable;
}

function cancelled(): BeeuniError {
  return new BeeuniError("aborted", "the command was cancelled.");
}
