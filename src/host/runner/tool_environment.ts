import os from "node:os";
import process from "node:process";
import { objectDefineProperty, objectHasOwn, stringOf } from "./primordials.ts";

/**
 * Makes `process.env` one plain object with exactly these variables, and has `Deno.env` read and write the same one
 * (specification 2.3). The temporary folder is the one that `TMPDIR` names.
 *
 * @returns That object.
 */
export function installEnvironment(variables: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = Object.assign(Object.create(null), variables);
  objectDefineProperty(process, "env", { value: env, writable: true, enumerable: true, configurable: true });
  const methods = {
    get: (name: string) => objectHasOwn(env, name) ? env[name] : undefined,
    has: (name: string) => objectHasOwn(env, name),
    set: (name: string, value: string) => {
      env[name] = stringOf(value);
    },
    delete: (name: string) => {
      delete env[name];
    },
    toObject: () => ({ ...env }),
  };
  for (const [key, value] of Object.entries(methods)) {
    objectDefineProperty(Deno.env, key, { value, writable: true, enumerable: true, configurable: true });
  }
  const folder = env.TMPDIR;
  if (folder !== undefined) {
    objectDefineProperty(os, "tmpdir", {
      value: () => env.TMPDIR ?? folder,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return env;
}
