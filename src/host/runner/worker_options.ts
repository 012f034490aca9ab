import type { WorkerSpec } from "../protocol.ts";

type Right = "inherit" | false | string[];

/** All rights of a worker: Deno takes a missing key for denied and ignores an unknown one, so each is named. */
interface WorkerPermissions {
  read: Right;
  write: Right;
  net: Right;
  run: Right;
  sys: Right;
  env: Right;
  ffi: Right;
  import: Right;
}

/** Options for a worker with these rights; `deno` is not in the types of the web's `WorkerOptions`. */
interface DenoWorkerOptions extends WorkerOptions {
  deno: { permissions: WorkerPermissions };
}

/**
 * Options for a tool's worker: the same for all tools with the same rights, so that one can be made ahead.
 *
 * `read` and `write` are a copy of the process's, which the bootstrap narrows: under a process-level denial a list
 * can't be given (specification 2.3).
 */
export function workerOptions(spec: Pick<WorkerSpec, "net" | "run" | "sys">): DenoWorkerOptions {
  return options("tool", { net: right(spec.net), run: right(spec.run), sys: right(spec.sys) });
}

/** Options for a worker of our own: the process's rights to files, and to the net, which a unix socket needs too. */
export function processWorkerOptions(name: string): DenoWorkerOptions {
  return options(name, { net: "inherit", run: false, sys: false });
}

function right(given: boolean | readonly string[]): Right {
  if (given === true) return "inherit";
  return given === false || given.length === 0 ? false : [...given];
}

function options(name: string, granted: Pick<WorkerPermissions, "net" | "run" | "sys">): DenoWorkerOptions {
  const permissions: WorkerPermissions = {
    read: "inherit",
    write: "inherit",
    ...granted,
    env: false,
    ffi: false,
    import: false,
  };
  return { type: "module", name, deno: { permissions } };
}
