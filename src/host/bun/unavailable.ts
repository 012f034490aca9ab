import { EQUIVALENTS } from "./equivalents.ts";

/** Members that promises, serialisers and test libraries look for on any value: absent, not refused. */
const LOOKED_FOR: readonly PropertyKey[] = ["then", "toJSON", "$$typeof", "asymmetricMatch"];

/** The sentence for a name of Bun's module that is not offered (specification 2.8). */
export function unavailableMessage(name: string): string {
  return `Bun.${name} is not available in this runtime: use ${EQUIVALENTS[name]?.use ?? "a node: module"}`;
}

/**
 * A stand-in for `Bun.<name>`. Having it is harmless, so a module that only imports it loads; any use of it (a call,
 * `new`, reading or setting a member) throws the sentence of {@link unavailableMessage}.
 */
export function unavailable(name: string): unknown {
  const refuse = (): never => {
    throw new Error(unavailableMessage(name));
  };
  const target = EQUIVALENTS[name]?.kind === "object" ? {} : function () {};
  return new Proxy(target, {
    apply: refuse,
    construct: refuse,
    set: refuse,
    get: (_target, key) =>
      key in target || typeof key === "symbol" || LOOKED_FOR.includes(key)
        ? Reflect.get(target, key)
        : refuse(),
  });
}
