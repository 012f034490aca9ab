import timers from "node:timers";
import { objectDefineProperty, reflectApply } from "./primordials.ts";

/**
 * Has an error that a timer's callback throws reported in the context of the call that set the timer: Deno leaves
 * that context before it reports such an error (for rejections and microtasks it keeps it).
 *
 * @param report Told what was thrown; the error goes no further.
 */
export function watchTimers(report: (thrown: unknown) => void): void {
  for (const target of [globalThis, timers]) {
    for (const key of ["setTimeout", "setInterval", "setImmediate"]) {
      const native: unknown = Reflect.get(target, key);
      if (typeof native === "function") watch(target, key, native, report);
    }
  }
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

// deno-lint-ignore ban-types -- whatever is callable
function watch(target: object, key: string, native: Function, report: (thrown: unknown) => void): void {
  const watched: AnyFunction = function (...args) {
    const callback = args[0];
    if (typeof callback === "function") {
      args[0] = function (this: unknown, ...values: unknown[]) {
        try {
          return reflectApply(callback, this, values);
        } catch (error) {
          report(error);
        }
      };
    }
    return reflectApply(native, this, args);
  };
  // Its name, its length, and what `util.promisify` asks for.
  for (const property of Reflect.ownKeys(native)) {
    if (property === "prototype") continue;
    Object.defineProperty(watched, property, Object.getOwnPropertyDescriptor(native, property)!);
  }
  objectDefineProperty(target, key, { value: watched, writable: true, enumerable: true, configurable: true });
}
