import type { Manifest, ToolKind } from "../manifest/model.ts";

/** A tool whose module loaded: what a model is told about it. */
export interface LoadedTool {
  name: string;
  kind: ToolKind;
  source: string;
  description: string;
  /** The tool's own JSON Schema, unchanged. */
  parameters: Record<string, unknown>;
}

/** A tool that is declared but did not load, or whose entry is broken. */
export interface FailedTool {
  name: string;
  source: string;
  error: string;
}

/** The loaded tools of a project at one moment. */
export interface Catalogue {
  /** Grows by one each time what is loaded changes. */
  generation: number;
  tools: LoadedTool[];
  failed: FailedTool[];
  removed: string[];
  /** Declared tools that no agent may use: never imported, so neither offered nor failed. */
  unused: string[];
}

/** One call of one tool, checked and complete. */
export interface CallRequest {
  tool: string;
  args: Record<string, unknown>;
  agent: string;
  /** `context.sessionId`; absent = `""` and spill folder `no-session`. */
  session?: string;
  /** Absolute path inside the checkout; absent = the checkout. */
  directory?: string;
  /** Id of the call; absent = the host makes one. */
  call?: string;
  /** Aborts the call (stop ladder of 2.3). */
  signal?: AbortSignal;
  /** Overrides the tool's wall time, in milliseconds. */
  timeoutMs?: number;
}

/** What a finished call gives (specification 2.5, 2.7). */
export interface CallResult {
  call: string;
  output: string;
  /** Present when the output was cut. */
  truncated?: true;
  /** Size of the whole output in UTF-8 bytes and lines; present when cut. */
  bytes?: number;
  lines?: number;
  /** Where the whole output is; absent when it could not be written. */
  file?: string;
  /** Run time in milliseconds. */
  durationMs: number;
}

/** How a call ended, as logs, metrics and events name it. */
export type CallOutcome = "completed" | "error" | "aborted" | "timed_out" | "sandbox_died" | "refused";

/** What the host tells its listeners; the daemon turns it into logs, metrics and SSE. */
export type HostEvent =
  | { type: "load"; generation: number; changed: string[]; failed: FailedTool[]; ms: number }
  | { type: "call_start"; call: string; tool: string; agent: string; session: string }
  | {
    type: "call_end";
    call: string;
    tool: string;
    agent: string;
    session: string;
    outcome: CallOutcome;
    code?: string;
    queuedMs: number;
    runMs: number;
    bytes: number;
  }
  | {
    type: "tool_log";
    call?: string;
    tool: string;
    agent: string;
    stream: "stdout" | "stderr" | "console";
    text: string;
  }
  | { type: "runner"; agent: string; pid: number; state: "started" | "ended" | "killed"; reason?: string };

/** Numbers for the metrics page. */
export interface HostStats {
  inFlight: number;
  queued: number;
  workers: number;
  runners: number;
  runnerRestarts: number;
}

/**
 * The tool host as the daemon, `tools call` and the experimental harness see it.
 *
 * Every rejection is a `BeeuniError`: `agent_forbidden`, `tool_not_found`, `call_in_flight`, `tool_failed`,
 * `aborted`, `sandbox_died`, `queue_full`, `stopping`, `timed_out`.
 */
export interface ToolHost extends AsyncDisposable {
  /** Settles when the first load is over. Never rejects: failures are in the catalogue. */
  readonly ready: Promise<void>;
  readonly state: "loading" | "ready" | "stopping";
  catalogue(): Catalogue;
  /** The manifest that the catalogue is of: a reload replaces it. */
  manifest(): Manifest;
  /** The tools of the catalogue this agent may use. */
  toolsOf(agent: string): LoadedTool[];
  /** The agent for a call that names none (specification 2.7); undefined when it can't be told. */
  defaultAgent(): string | undefined;
  call(request: CallRequest): Promise<CallResult>;
  /** Aborts a call in flight or queued; false for an unknown id. */
  cancel(call: string): boolean;
  /**
   * Reads the manifest and the modules again.
   *
   * @throws {BeeuniError} `manifest_invalid` with `details.issues`; the old tools stay.
   */
  reload(): Promise<{ generation: number; changed: string[]; failed: FailedTool[] }>;
  subscribe(listener: (event: HostEvent) => void): () => void;
  /** `text` with every known secret replaced by `***`: for stored records of arguments and errors (2.6). */
  mask(text: string): string;
  /** Absolute path of the folder for a session's long outputs (2.5); it exists once there is one. */
  spillFolder(session: string): string;
  stats(): HostStats;
  /** Refuses new calls, lets running ones finish for `graceMs`, then takes the stop ladder. */
  stop(options?: { graceMs?: number }): Promise<void>;
}
