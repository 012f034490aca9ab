// deno-lint-ignore-file no-unused-vars no-control-regex -- quick_start.ts puts code behind this
// Put in front of the program's first chunk by quick_start.ts. Loading `node:events`, `node:util`, `node:fs`,
// `node:process`, `node:path` and `node:child_process` takes longer than a whole hello world; the command line library
// imports all six at its top and uses of them, in most runs, these two.

/** The part of EventEmitter that the command line library uses. */
class StandInEventEmitter {
  #listeners = new Map();

  on(event, listener) {
    this.#listeners.set(event, [...this.#listeners.get(event) ?? [], listener]);
    return this;
  }

  listenerCount(event) {
    return this.#listeners.get(event)?.length ?? 0;
  }

  emit(event, ...values) {
    const listeners = this.#listeners.get(event) ?? [];
    for (const listener of listeners) listener.apply(this, values);
    return listeners.length > 0;
  }
}

/** Text without the escape sequences that colour it. */
function standInStripVTControlCharacters(text) {
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}

/** A built-in module that is loaded when something of it is first used. */
function standInModule(name) {
  let module;
  const load = () => module ??= globalThis.process.getBuiltinModule(name);
  return new Proxy({}, {
    get: (_, key) => load()[key],
    set: (_, key, value) => Reflect.set(load(), key, value),
    has: (_, key) => key in load(),
  });
}
