import { file } from "./bun_file.ts";
import type { BunOptions } from "./bun_options.ts";
import { builtin } from "./builtin.ts";
import { CryptoHasher } from "./crypto_hasher.ts";
import { deepEquals } from "./deep_equals.ts";
import { escapeHTML } from "./escape_html.ts";
import { hash } from "./hash.ts";
import { inspect } from "./inspect.ts";
import { BUN_MODULE_NAMES } from "./module_names.ts";
import { shell } from "./shell/shell.ts";
import { sleep, sleepSync } from "./sleep.ts";
import { spawners } from "./spawn.ts";
import { unavailable } from "./unavailable.ts";
import { which, type WhichOptions } from "./which.ts";
import { write } from "./write.ts";

/** The version of Bun whose documentation these interfaces follow. */
export const BUN_VERSION = "1.4.4";

/**
 * The `Bun` of one worker: what specification 2.8 lists, and a stand-in for every other name of Bun's module that
 * throws when it is used.
 */
export function bunObject(options: BunOptions): object {
  const offered: Record<string, unknown> = {
    $: shell(options),
    CryptoHasher,
    deepEquals,
    env: options.env,
    escapeHTML,
    file,
    fileURLToPath: (url: string | URL) => builtin("node:url").fileURLToPath(url),
    hash,
    inspect,
    pathToFileURL: (path: string) => builtin("node:url").pathToFileURL(path),
    sleep,
    sleepSync,
    ...spawners(options),
    which: (name: string, given: WhichOptions = {}) => which(name, given, options.env.PATH),
    write,
    // what is no function and can be told
    argv: ["bun"],
    embeddedFiles: [],
    enableANSIColors: false,
    // a tool is not to see that it runs in a worker
    isMainThread: true,
    isStandaloneExecutable: false,
    // `import.meta.path === Bun.main` is how a module asks whether it is run by itself: it is not
    main: "",
    revision: "unknown",
    version: BUN_VERSION,
    version_with_sha: `v${BUN_VERSION}`,
  };
  const bun: object = Object.create({}, { [Symbol.toStringTag]: { value: "Bun" } });
  for (const name of BUN_MODULE_NAMES) {
    const value = Object.hasOwn(offered, name) ? offered[name] : unavailable(name);
    Object.defineProperty(bun, name, { value, enumerable: true });
  }
  return bun;
}
