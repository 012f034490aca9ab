import * as nodeModule from "node:module";
import * as os from "node:os";
import process, * as processNames from "node:process";
import * as timers from "node:timers";
import * as v8 from "node:v8";
import {
  jsonStringify,
  objectDefineProperty,
  objectHasOwn,
  objectKeys,
  stringSlice,
  stringStartsWith,
} from "./primordials.ts";

/**
 * Node modules of which the bootstrap replaces functions, with the names each exports.
 *
 * Not `node:worker_threads` and `node:url`: Deno 2.9.6 takes its own for their static imports whatever a hook says,
 * and a redirected one can make it panic. All modules named here have been imported by then, which is needed too.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "node:module": objectKeys(nodeModule),
  "node:os": objectKeys(os),
  "node:process": objectKeys(processNames),
  "node:timers": objectKeys(timers),
  "node:v8": objectKeys(v8),
};

const PREFIX = "beeuni-facade:";

/**
 * URL of the module that stands in for one of Node's, or `undefined` when nothing is replaced in it.
 *
 * A named import (`import { abort } from "node:process"`) gives Deno's own function, whatever was put on the object
 * that the module exports by default. The stand-in exports what that object has now.
 */
export function facadeOf(nodeUrl: string): string | undefined {
  return objectHasOwn(NAMES, nodeUrl) ? PREFIX + nodeUrl : undefined;
}

/** Whether `url` is one of a stand-in. */
export function isFacade(url: string): boolean {
  return stringStartsWith(url, PREFIX);
}

/** Source text of a stand-in. It finds the real module by way of {@link BUILTIN}, since an import would be faced too. */
export function facadeSource(url: string): string {
  const nodeUrl = stringSlice(url, PREFIX.length);
  const names = objectHasOwn(NAMES, nodeUrl) ? NAMES[nodeUrl]! : [];
  let source = `const now = globalThis[Symbol.for(${jsonStringify(BUILTIN)})](${jsonStringify(nodeUrl)});\n` +
    "export default now;\n";
  for (let index = 0; index < names.length; index++) {
    const name = jsonStringify(names[index]);
    if (name !== '"default"') source += `const v${index} = now[${name}];\nexport { v${index} as ${name} };\n`;
  }
  return source;
}

/** Name of the symbol under which stand-ins find `process.getBuiltinModule`, which they may not have themselves. */
const BUILTIN = "beeuni.builtin";

const getBuiltinModule = process.getBuiltinModule;

/** Puts in place what stand-ins need; gives tool code nothing that `process.getBuiltinModule` does not. */
export function installFacades(): void {
  const find = (id: string): unknown => getBuiltinModule(id);
  objectDefineProperty(globalThis, Symbol.for(BUILTIN), { value: find });
}
