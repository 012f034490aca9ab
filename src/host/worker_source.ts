import { BeeuniError } from "../errors/error.ts";
import { toolNotFound } from "./call_errors.ts";
import type { CallEnv } from "./call_env.ts";
import type { PlanBook } from "./plan_book.ts";
import type { ProjectCatalogue } from "./project_catalogue.ts";
import type { Worker } from "./runner_worker.ts";
import type { ToolPool } from "./tool_pool.ts";

/** How often a worker is made anew because its tool's files changed meanwhile, or its process went away. */
const MAX_ATTEMPTS = 3;

/** What new workers are made with. */
export interface WorkerSourceOptions {
  catalogue: ProjectCatalogue;
  plans: PlanBook;
  pool: ToolPool;
  env: CallEnv;
}

/** Makes workers that run the code the catalogue describes, and no other (specification 2.2). */
export class WorkerSource {
  readonly #options: WorkerSourceOptions;
  /** Workers being made, by agent and tool. */
  readonly #making = new Map<string, Promise<Worker>>();

  constructor(options: WorkerSourceOptions) {
    this.#options = options;
  }

  /**
   * A new worker; those who ask for it at the same time share it. It is warm from then on.
   *
   * @throws {WorkerFailure} when its module does not load or its process ends.
   * @throws {BeeuniError} `tool_not_found` when its files changed and do not load any more, `engine`, `env_file`.
   */
  shared(agent: string, tool: string): Promise<Worker> {
    const key = `${agent}\0${tool}`;
    let making = this.#making.get(key);
    if (making === undefined) {
      making = this.#make(agent, tool, true).finally(() => this.#making.delete(key));
      this.#making.set(key, making);
    }
    return making;
  }

  /** A new worker for one call alone; throws as {@link shared}. */
  own(agent: string, tool: string): Promise<Worker> {
    return this.#make(agent, tool, false);
  }

  async #make(agent: string, tool: string, publish: boolean): Promise<Worker> {
    const { catalogue, plans, pool, env } = this.#options;
    for (let attempt = 1;; attempt++) {
      const before = plans.find(agent, tool, env.of(agent));
      // The process starts while the files are hashed.
      if (before !== undefined) pool.prepare(before);
      await catalogue.verify(tool);
      const plan = plans.find(agent, tool, env.of(agent));
      if (plan === undefined) throw toolNotFound(tool);
      const { worker, module } = await pool.make(plan);
      const usable = await catalogue.confirm(tool, module.graph) &&
        (publish ? pool.publish(worker) : worker.state === "ready");
      if (usable) return worker;
      pool.drain(worker);
      if (attempt === MAX_ATTEMPTS) {
        throw new BeeuniError("tool_failed", `${tool} could not be started: its files keep changing.`);
      }
    }
  }
}
