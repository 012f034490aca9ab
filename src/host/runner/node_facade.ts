import * as nodeModule from "node:module";
import * as os from "node:os";
import * as process from "node:process";
import * as timers from "node:timers";
import * as v8 from "node:v8";
import * as workerThreads from "node:worker_threads";
import { jsonStringify, objectHasOwn, objectKeys, stringSlice, stringStartsWith } from "./primordials.ts";

/** Node modules of which the bootstrap replaces functions, with the names each exports. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "node:module": objectKeys(nodeModule),
  "node:os": objectKeys(os),
  "node:process": objectKeys(process),
  "node:timers": objectKeys(timers),
  "node:v8": objectKeys(v8),
  "node:worker_threads": objectKeys(workerThreads),
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

/** Source text of a stand-in; it imports the real module, which the hooks let through for it alone. */
export function facadeSource(url: string): string {
  const nodeUrl = stringSlice(url, PREFIX.length);
  const names = objectHasOwn(NAMES, nodeUrl) ? NAMES[nodeUrl]! : [];
  let source = `import * as native from ${
    jsonStringify(nodeUrl)
  };\nconst now = native.default;\nexport default now;\n`;
  for (let index = 0; index < names.length; index++) {
    const name = jsonStringify(names[index]);
    if (name === '"default"') continue;
    source +=
      `const v${index} = ${name} in now ? now[${name}] : native[${name}];\nexport { v${index} as ${name} };\n`;
  }
  return source;
}
