import { registerHooks } from "node:module";
import { bunObject } from "./bun_object.ts";
import type { BunOptions } from "./bun_options.ts";
import { bunLoadHook } from "./load_hook.ts";
import { installRequireBun } from "./require_bun.ts";
import { bunResolveHook } from "./resolve_hook.ts";

/**
 * Makes modules written for Bun load and run in this worker (specification 2.8): the `Bun` global,
 * `import … from "bun"`, `require("bun")`, and imports as Bun allows them.
 *
 * To be called once, before tool code runs, and after hooks of our own are registered: the hooks of this function come
 * first and ask those next, so that these see the file that is really meant. The `Bun` global can't be replaced, since
 * the module behind `bun` reads it.
 */
export function installBun(options: BunOptions): void {
  const bun = bunObject(options);
  Object.defineProperty(globalThis, "Bun", { value: bun, enumerable: true });
  installRequireBun(bun);
  registerHooks({ resolve: bunResolveHook, load: bunLoadHook });
}
