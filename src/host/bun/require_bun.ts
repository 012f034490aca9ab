import { builtin } from "./builtin.ts";
import { bunSchemeMessage } from "./bun_scheme.ts";

/**
 * Makes `require("bun")` give the `Bun` global, and `require("bun:<name>")` throw its reason.
 *
 * Import maps and module hooks do not reach `require`, so the function of node:module that every `require` goes
 * through, in CommonJS and from `createRequire`, is replaced.
 */
export function installRequireBun(bun: object): void {
  const { Module } = builtin("node:module");
  const load: unknown = Reflect.get(Module, "_load");
  if (typeof load !== "function") return;
  Reflect.set(Module, "_load", function (this: unknown, request: unknown, ...rest: unknown[]) {
    if (request === "bun") return bun;
    if (typeof request === "string" && request.startsWith("bun:")) throw new Error(bunSchemeMessage(request));
    return Reflect.apply(load, this, [request, ...rest]);
  });
}
