import { BeeuniError } from "../../errors/error.ts";
import type { Harness, SessionRecord, Turn } from "../../sessions/types.ts";
import type { HarnessProject } from "../types.ts";
import type { MakeHarnessTools } from "./harness_tool.ts";
import { subagentsOf } from "./offered_tools.ts";
import { ExperimentalTurn, type TurnLimits } from "./turn.ts";

/** The bounds of a turn: 5 minutes of a model's silence, 200 requests. */
export const TURN_LIMITS: TurnLimits = { silenceMs: 5 * 60_000, requests: 200 };

/** Options of {@link createExperimentalHarness}. */
export interface ExperimentalHarnessOptions {
  /** Makes the harness tools of a turn; a test gives its own. */
  makeTools?: MakeHarnessTools;
  /** Default {@link TURN_LIMITS}. */
  limits?: TurnLimits;
}

/** Loads the harness tools at the first turn. */
const MAKE_TOOLS: MakeHarnessTools = async (options) => {
  const { makeHarnessTools } = await import("./tools/make_harness_tools.ts");
  return await makeHarnessTools(options);
};

/**
 * The experimental harness (specification 4.2): the agent loop in the daemon. Hosted tools are called through the
 * project's tool host, without HTTP.
 *
 * Each turn makes a loop of its own from the session's transcript, with the tools that are loaded at that moment: a
 * change of them never reaches a turn that runs, and never costs the conversation.
 */
export function createExperimentalHarness(
  project: HarnessProject,
  options: ExperimentalHarnessOptions = {},
): Harness {
  return new ExperimentalHarness(project, options);
}

class ExperimentalHarness implements Harness {
  readonly name = "experimental";
  readonly #project: HarnessProject;
  readonly #options: ExperimentalHarnessOptions;
  /** What the last turn of each session was offered. */
  readonly #generations = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #closed = new AbortController();

  constructor(project: HarnessProject, options: ExperimentalHarnessOptions) {
    this.#project = project;
    this.#options = options;
  }

  async run(turn: Turn): Promise<void> {
    // Ends what still runs when the turn breaks off, such as calls beside one whose end could not be stored.
    const over = new AbortController();
    const signal = AbortSignal.any([turn.signal, this.#closed.signal, over.signal]);
    const running = this.#run({ ...turn, signal });
    const settled = running.catch(() => {});
    this.#running.add(settled);
    try {
      await running;
    } catch (error) {
      if (error instanceof BeeuniError) throw error;
      const reason = this.#project.host.mask(error instanceof Error ? error.message : String(error));
      throw new BeeuniError("harness_failed", `the turn failed: ${reason}`, { cause: error });
    } finally {
      over.abort();
      this.#running.delete(settled);
    }
  }

  async #run(turn: Turn): Promise<void> {
    const { host, root } = this.#project;
    await host.ready;
    this.#noteRestart(turn.session);
    const subagents = subagentsOf(host.manifest(), turn.session.agent);
    const tools = await (this.#options.makeTools ?? MAKE_TOOLS)({
      root,
      subagents,
      mask: (text) => host.mask(text),
    });
    await new ExperimentalTurn(this.#project, turn, tools, this.#options.limits ?? TURN_LIMITS).run();
  }

  /** Says so when the session goes on with other tools than its last turn had. */
  #noteRestart({ id }: SessionRecord): void {
    const { generation } = this.#project.host.catalogue();
    const before = this.#generations.get(id);
    this.#generations.set(id, generation);
    if (before !== undefined && before !== generation) {
      this.#project.logger.info("tools changed: the session goes on with the new ones", {
        session: id,
        generation,
      });
    }
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  forget({ id }: SessionRecord): Promise<void> {
    this.#generations.delete(id);
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#running);
  }
}
