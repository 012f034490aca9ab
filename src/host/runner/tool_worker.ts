import { installBun } from "../bun/install.ts";
import type { WorkerSpec } from "../protocol.ts";
import type { Post } from "./answer.ts";
import { type BrokenModule, readToolModule, type ToolModule } from "./contract.ts";
import { watchTimers } from "./late_errors.ts";
import { loadReason } from "./load_reason.ts";
import type { BootMessage } from "./messages.ts";
import { type RefusalFinder, watchImports } from "./module_hooks.ts";
import { filePathOf } from "./module_paths.ts";
import { captureOutput } from "./output_capture.ts";
import {
  append,
  jsonOfTexts,
  jsonStringify,
  objectDefineProperty,
  ownValue,
  uncurryGetter,
  uncurryThis,
} from "./primordials.ts";
import { explainRefusals, type RefusalContext } from "./refusal.ts";
import { maskedHead } from "./secret_mask.ts";
import { detailOf, sentenceOf } from "./sentence.ts";
import { ToolCalls } from "./tool_calls.ts";
import { installEnvironment } from "./tool_environment.ts";
import { holdLock } from "./thread_lock.ts";
import { openToolPort } from "./tool_port.ts";
import { closeWaysOut } from "./ways_out.ts";

/** What ending the process is answered with. */
const NO_EXIT = "a tool may not exit the process: return a value, or throw an error instead";

/** Longest text of a `worker_error`, in UTF-16 units. */
const MAX_REPORT = 2_000;

/** Most modules told in one frame. */
const MAX_GRAPH = 1_000;

const preventDefault = uncurryThis<Event, [], void>(Event.prototype.preventDefault);
const enqueue = queueMicrotask;
const newError = Error;

/**
 * The sandbox of one tool in this worker: its module, its calls, and what happens outside them.
 *
 * Everything that tool code can reach is put in its final state before the tool's module is imported.
 */
export class ToolWorker {
  readonly #spec: WorkerSpec;
  readonly #rights: RefusalContext;
  readonly #post: Post;
  readonly #calls: ToolCalls;
  /** Modules that the daemon has not been told of, by real path. */
  #graph: string[] = [];
  #isLoading = true;
  #tool: ToolModule | BrokenModule = { reason: "" };
  /** What nothing caught while the module was being loaded. */
  #loadError: { thrown: unknown } | undefined;
  /** The error of the last attempt to exit, which has been reported. */
  #exitError: unknown;

  constructor(boot: BootMessage) {
    const spec: WorkerSpec = JSON.parse(boot.spec);
    this.#spec = spec;
    this.#rights = { tool: spec.tool, root: spec.root, net: spec.net, run: spec.run };
    this.#post = openToolPort(boot.port, (message) => this.#calls.receive(message));
    this.#calls = new ToolCalls(this.#post, new Int32Array(boot.aborts), this.#rights);
  }

  /**
   * Loads the tool and tells the daemon; never rejects.
   *
   * @param lock Held as long as this thread lives: how the carrier knows that it has ended.
   */
  async start(lock: string): Promise<void> {
    await holdLock(lock);
    this.#post({ kind: "alive" });
    await this.#load();
    this.#isLoading = false;
    this.#tellLoaded();
  }

  #tellLoaded(): void {
    const tool = this.#tool;
    const graph = this.#graph;
    this.#graph = [];
    // One frame holds no more; the rest is told before, so that `loaded` completes it.
    for (let start = MAX_GRAPH; start < graph.length; start += MAX_GRAPH) this.#postGraph(graph, start);
    const first = jsonOfTexts(slice(graph, 0));
    if ("reason" in tool) {
      return this.#post({
        kind: "load_failed",
        json: `{"reason":${jsonStringify(tool.reason)},"graph":${first}}`,
      });
    }
    const description = jsonStringify(tool.description);
    const json = `{"description":${description},"parameters":${tool.parameters},"graph":${first}}`;
    const isLast = this.#spec.loadOnly;
    this.#post({ kind: "loaded", json, isLast });
    if (!isLast) this.#calls.serve(tool);
  }

  /** Puts the module, or why there is none, into a field: a promise of it would ask it for its `then`. */
  async #load(): Promise<void> {
    const { root, url } = this.#spec;
    // Made before tool code runs, which may replace `URL`.
    const rootUrl = new URL(`file://${root}`).href;
    let refusalIn: RefusalFinder = () => undefined;
    const broken = (thrown: unknown): BrokenModule => {
      const reason = loadReason(thrown, { path: filePathOf(url) ?? url, root, rootUrl, refusalIn });
      return { reason: explainRefusals(reason, this.#rights) };
    };
    try {
      refusalIn = this.#closeSandbox();
    } catch (error) {
      const reason = `the sandbox of ${this.#spec.tool} could not be made: ${sentenceOf(error, "it")}`;
      this.#tool = { reason };
      return;
    }
    try {
      this.#tool = readToolModule(await import(url));
    } catch (error) {
      this.#tool = broken(error);
    }
    if (this.#loadError !== undefined) this.#tool = broken(this.#loadError.thrown);
  }

  /** Narrows the rights, replaces the environment, captures output, closes the ways out, and watches imports. */
  #closeSandbox(): RefusalFinder {
    const { entry, root, roots, nodeModules, revoke, env, run } = { ...this.#spec, entry: this.#spec.url };
    for (const name of ["read", "write"] as const) {
      for (const path of revoke[name]) Deno.permissions.revokeSync({ name, path });
    }
    const variables = installEnvironment(env);
    captureOutput((stream, text) => this.#calls.log(stream, text));
    this.#watchErrors();
    installBun({ env: variables, run: run !== false, tmp: variables.TMPDIR ?? "/tmp" });
    const refusalIn = watchImports({
      entry,
      root,
      roots,
      nodeModules,
      onModule: (path) => this.#tellModule(path),
    });
    closeWaysOut(() => this.#refuseExit());
    return refusalIn;
  }

  /** Keeps an error that nothing caught from ending the worker, and reports it. */
  #watchErrors(): void {
    const errorOf = uncurryGetter(ErrorEvent.prototype, "error");
    const reasonOf = uncurryGetter(PromiseRejectionEvent.prototype, "reason");
    addEventListener("error", (event) => {
      preventDefault(event);
      this.#reportUncaught(errorOf(event));
    });
    addEventListener("unhandledrejection", (event) => {
      preventDefault(event);
      this.#reportUncaught(reasonOf(event));
    });
    // Deno calls this by name for each such error; a tool may replace what `EventTarget` has.
    objectDefineProperty(globalThis, "dispatchEvent", ownValue(dispatchEvent.bind(globalThis)));
    watchTimers((thrown) => this.#reportUncaught(thrown));
  }

  /** An error that nothing caught is the error of the call it belongs to, and ends the use of this worker. */
  #reportUncaught(thrown: unknown): void {
    if (thrown === this.#exitError && thrown !== undefined) return;
    if (this.#isLoading) this.#loadError ??= { thrown };
    const call = this.#calls.current();
    if (call !== undefined) this.#calls.fail(call, thrown);
    const sentence = explainRefusals(sentenceOf(thrown), this.#rights);
    this.#reportError(`an error that nothing caught: ${sentence}`);
    this.#calls.log("stderr", `${detailOf(thrown) ?? sentence}\n`);
  }

  /** Takes the place of whatever ends the process: ends the call, or the loading, with an error that says so. */
  #refuseExit(): never {
    const error = new newError(NO_EXIT);
    this.#exitError = error;
    if (this.#isLoading) this.#loadError ??= { thrown: error };
    const call = this.#calls.current();
    if (call !== undefined) this.#calls.fail(call, error);
    this.#reportError(NO_EXIT);
    throw error;
  }

  #reportError(message: string): void {
    if (this.#isLoading) return;
    const text = jsonStringify(maskedHead(message, MAX_REPORT));
    this.#post({ kind: "worker_error", json: `{"message":${text}}` });
  }

  #tellModule(path: string): void {
    append(this.#graph, path);
    if (this.#isLoading || this.#graph.length > 1) return;
    enqueue(() => {
      const graph = this.#graph;
      this.#graph = [];
      for (let start = 0; start < graph.length; start += MAX_GRAPH) this.#postGraph(graph, start);
    });
  }

  #postGraph(graph: readonly string[], start: number): void {
    this.#post({ kind: "graph", json: `{"graph":${jsonOfTexts(slice(graph, start))}}` });
  }
}

/** Up to {@link MAX_GRAPH} paths. */
function slice(graph: readonly string[], start: number): string[] {
  const part: string[] = [];
  for (let index = start; index < graph.length && index < start + MAX_GRAPH; index++) {
    append(part, graph[index]!);
  }
  return part;
}
