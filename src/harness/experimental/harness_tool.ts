/** A tool of the experimental harness itself: it runs in the daemon, confined to the checkout (specification 4.2). */
export interface HarnessTool {
  name: string;
  /** What the model is told; may depend on the project, such as the list of skills. */
  description: string;
  /** JSON Schema of the arguments; reaches the model unchanged. */
  parameters: Record<string, unknown>;
  /**
   * Runs the tool.
   *
   * @param args As the model gave them, **not** checked against {@link parameters}: the tool checks what it needs and
   *   says what is wrong in a sentence.
   * @throws {Error} Its message is what the model is told, masked by the harness. A tool that ends because of
   *   `context.signal` may throw anything.
   */
  execute(args: Record<string, unknown>, context: HarnessToolContext): Promise<HarnessToolResult>;
}

/** What a finished harness tool gives. */
export interface HarnessToolResult {
  /** What the model gets; the tool has bounded it as a hosted tool's output is (specification 2.5). */
  output: string;
  /** Absolute path of the file with the whole output, when it was cut. */
  file?: string;
}

/** What a harness tool knows of its call. */
export interface HarnessToolContext {
  /** Absolute path of the checkout, which the tool must not leave. */
  root: string;
  /** Absolute path that relative paths start from; inside {@link root}. */
  directory: string;
  /** Beeuni's id of the session. */
  session: string;
  /** The agent that calls: the session's, or a subagent. */
  agent: string;
  /** Id of the call. */
  call: string;
  /** Absolute path of the session's folder for long outputs; `read` and `grep` may read it. May not exist yet. */
  spillFolder: string;
  /** Aborted when the call must end; the harness does not wait for a tool that ignores it. */
  signal: AbortSignal;
  /**
   * Asks a person a question of the kind `question`; never waits longer than the question's deadline.
   *
   * @param options Answers to choose from; free text when empty.
   * @returns The answer, `null` when nobody gave one in time.
   */
  ask(text: string, options?: readonly string[]): Promise<string | null>;
  /**
   * Runs a subagent to its end. Absent where `task` is not offered (inside a subagent).
   *
   * @returns The text of the subagent's last message.
   * @throws {Error} When there is no such subagent, or it failed.
   */
  runSubagent?(request: SubagentRequest): Promise<string>;
}

/** What `task` asks for. */
export interface SubagentRequest {
  agent: string;
  prompt: string;
}

/** An agent that `task` may start. */
export interface Subagent {
  name: string;
  /** `agents.<name>.description`; `""` without one. */
  description: string;
}

/** What the tools of one turn are made for. */
export interface HarnessToolsOptions {
  /** Absolute path of the checkout. */
  root: string;
  /** The agents that `task` may start; without any, `task` is not offered. */
  subagents: readonly Subagent[];
  /** The container's environment, which `bash` inherits without anything secret; default the daemon's own. */
  env?: Readonly<Record<string, string>>;
  /** `host.mask`: a variable in whose value it finds a secret does not reach `bash`, whatever its name. */
  mask?: (text: string) => string;
}

/**
 * Makes the harness tools of one turn, read anew from the project (its skills): `bash read write edit glob grep task
 * question skill`. Never rejects for what a project holds: a broken skill is left out. Which of them an agent gets, and
 * whether a call needs a permission, is the harness's business.
 */
export type MakeHarnessTools = (options: HarnessToolsOptions) => Promise<HarnessTool[]>;
