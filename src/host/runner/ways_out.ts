import { EventEmitter } from "node:events";
import nodeModule from "node:module";
import process from "node:process";
import v8 from "node:v8";
import workerThreads from "node:worker_threads";
import {
  objectDefineProperty,
  objectGetPrototypeOf,
  objectHasOwn,
  objectSetPrototypeOf,
  reflectApply,
  stringStartsWith,
} from "./primordials.ts";

/**
 * Closes what reaches beyond one tool's worker: ending or signalling the process, opening descriptors, new threads,
 * channels to other workers, settings of the whole process (specification 2.3).
 *
 * This is for clear messages and for depth; the boundary is the process and its flags. Who imports the closed
 * functions by name gets them closed too, see `node_facade.ts`.
 *
 * @param refuseExit Called in place of whatever ends the process or the thread; throws.
 */
export function closeWaysOut(refuseExit: () => never): void {
  // First of all: Deno's internals, among them operations without any check.
  const internals: symbol = Reflect.get(Deno, "internal");
  if (!Reflect.deleteProperty(Deno, internals)) throw new Error("Deno's internals can't be removed");
  closeDescriptors();
  for (const [target, key] of EXITS) close(target, key, refuseExit);
  for (const [target, keys, what] of CLOSED) {
    for (const key of keys) close(target, key, thrower(what));
  }
  closeThreads();
  closeSignals();
  close(Deno, "args", []);
  close(process, "argv", [process.execPath]);
  // A tool is not to see that it runs in a worker: packages that do look for a parent to talk to.
  close(workerThreads, "isMainThread", true);
  for (const key of ["parentPort", "workerData"]) close(workerThreads, key, null);
}

const scope = globalThis;
const newError = Error;

/** What ends the process or this thread. */
const EXITS: readonly [target: object, key: string][] = [
  [Deno, "exit"],
  [process, "exit"],
  [process, "reallyExit"],
  [process, "abort"],
  [scope, "close"],
];

/** What else is closed, and how a message names it. */
const CLOSED: readonly [target: object, keys: readonly string[], what: string][] = [
  [Deno, ["kill"], "send a signal"],
  [process, ["kill", "_kill", "_debugProcess", "_debugEnd"], "send a signal"],
  [Deno, ["addSignalListener", "removeSignalListener"], "listen to signals of the process"],
  [
    Deno,
    ["chdir"],
    "change the working directory, which all tools share: resolve paths against context.directory",
  ],
  [
    process,
    ["chdir"],
    "change the working directory, which all tools share: resolve paths against context.directory",
  ],
  [Deno, ["umask"], "change the umask"],
  [process, ["umask"], "change the umask"],
  [process, ["dlopen"], "load native code"],
  [process, ["binding", "_linkedBinding"], "use internals of the runtime"],
  [process, ["_getActiveHandles", "_getActiveRequests"], "use internals of the runtime"],
  [nodeModule, ["registerHooks", "register"], "register module hooks"],
  [v8, ["setFlagsFromString", "setHeapSnapshotNearHeapLimit"], "change settings of the whole process"],
  [workerThreads, ["postMessageToThread"], "talk to other threads"],
  [scope, ["postMessage"], "talk to other threads"],
];

/**
 * `new net.Socket({ fd })` asks for no right: a tool could read the runner's channel and other tools' sockets.
 *
 * @throws {Error} Deno has changed, so that this can't be closed: better no tool than an open one.
 */
function closeDescriptors(): void {
  const binding: unknown = Reflect.get(process, "binding");
  if (typeof binding !== "function") throw new Error("process.binding is gone");
  for (
    const [name, className] of [["tcp_wrap", "TCP"], ["pipe_wrap", "Pipe"], ["udp_wrap", "UDP"]] as const
  ) {
    const wrap: Record<string, { prototype: object }> = Reflect.apply(binding, process, [name]);
    let closed = 0;
    let prototype: object | null = wrap[className]?.prototype ?? null;
    for (
      ;
      prototype !== null && prototype !== Object.prototype;
      prototype = objectGetPrototypeOf(prototype)
    ) {
      if (!objectHasOwn(prototype, "open")) continue;
      close(prototype, "open", thrower("open a descriptor by its number"));
      closed++;
    }
    if (closed === 0) throw new Error(`${className} has no open()`);
  }
}

/** Threads of its own would have unclosed functions; channels and locks reach the workers of other tools. */
function closeThreads(): void {
  const noWorker = thrower("start a worker");
  for (const target of [scope, workerThreads]) closeClass(target, "Worker", noWorker);
  const noChannel = thrower("use a BroadcastChannel, which reaches other tools");
  close(BroadcastChannel.prototype, "postMessage", noChannel);
  for (const target of [scope, workerThreads]) closeClass(target, "BroadcastChannel", noChannel);
  const noLocks = thrower("use navigator.locks, which other tools share");
  const locks: object = Reflect.get(navigator, "locks");
  for (const key of ["request", "query"]) close(objectGetPrototypeOf(locks), key, noLocks);
  // Made by a getter that costs 6 ms when it runs, so nothing of it is read.
  const noCaches = thrower("use caches, which other tools share");
  const caches = { open: noCaches, has: noCaches, delete: noCaches, keys: noCaches, match: noCaches };
  close(scope, "caches", caches);
  close(scope, "CacheStorage", noCaches);
  close(scope, "Cache", noCaches);
}

/** Replaces a class, and has the class itself throw when somebody still holds it: its `super()` is the thrower. */
function closeClass(target: object, key: string, refuse: () => never): void {
  const original: unknown = Reflect.get(target, key);
  if (typeof original === "function" && original !== refuse) {
    objectSetPrototypeOf(original, refuse);
    Object.preventExtensions(original);
  }
  close(target, key, refuse);
}

/**
 * `process.on("SIGTERM")` would change how the process ends. Many packages do it at import, so it is accepted and has
 * no effect.
 */
function closeSignals(): void {
  const methods = [
    "on",
    "addListener",
    "once",
    "prependListener",
    "prependOnceListener",
    "off",
    "removeListener",
  ];
  for (const key of methods) {
    const native: unknown = Reflect.get(process, key);
    const plain: unknown = Reflect.get(EventEmitter.prototype, key);
    if (typeof native !== "function" || typeof plain !== "function") continue;
    close(process, key, function (this: unknown, ...args: unknown[]) {
      const isSignal = typeof args[0] === "string" && stringStartsWith(args[0], "SIG");
      return reflectApply(isSignal ? plain : native, this, args);
    });
  }
}

function thrower(what: string): () => never {
  return function () {
    throw new newError(`a tool may not ${what}`);
  };
}

/**
 * Puts something in place of a member, for good: it can't be deleted, so a facade never falls back to Deno's own.
 * It can be assigned to, as packages do that wrap `process.reallyExit`, and that gains them nothing.
 */
function close(target: object, key: string, by: unknown): void {
  objectDefineProperty(target, key, { value: by, writable: true, enumerable: true, configurable: false });
}
