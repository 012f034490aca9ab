import type { LoadFnOutput, LoadHookContext } from "node:module";
import { bunModuleSource, bunModuleUrl } from "./bun_module.ts";
import { bunImportMeta } from "./import_meta.ts";
import { parseJsonc } from "./jsonc.ts";
import { loaderOf } from "./loaders.ts";
import { namelessError } from "./nameless_error.ts";

type NextLoad = (url: string, context?: Partial<LoadHookContext>) => LoadFnOutput;

/**
 * What a `load` hook returns to leave a module to Deno: no source. It is then read, checked against the worker's
 * rights and transpiled as without hooks, and costs no copy of its text (Deno 2.9.6).
 */
const LEFT_TO_DENO = { source: undefined, format: undefined, shortCircuit: true } satisfies LoadFnOutput;

/**
 * A `load` hook for `registerHooks` of node:module: imports as Bun allows them (specification 2.8).
 *
 * - JSON (with a named export for each key), JSON with comments and text without an attribute; a file of any other
 *   kind (`.png`, `.sql`) gives its path, as with Bun.
 * - `bun` imported by a package in node_modules.
 * - `import.meta.dir`, `path`, `file` and `env` in modules that use them.
 *
 * Files are read with the worker's own rights. Register it together with `bunResolveHook`.
 *
 * @throws {Error} for a file that is not valid JSON, and for kinds Bun parses and this runtime does not.
 */
export function bunLoadHook(url: string, context: LoadHookContext, nextLoad: NextLoad): LoadFnOutput {
  if (url.startsWith("data:")) return url === bunModuleUrl() ? javascript(bunModuleSource()) : LEFT_TO_DENO;
  // a CommonJS module must be given its text
  if (!url.startsWith("file:") || context.conditions?.includes("require")) return nextLoad(url, context);
  const file = new URL(url);
  const loader = loaderOf(file.pathname, context.importAttributes?.type);
  file.search = "";
  file.hash = "";
  if (loader === "refused") {
    throw namelessError(
      `${file} can't be imported in this runtime: import it with { type: "text" } and parse it`,
    );
  }
  if (loader === "file") {
    return javascript(`export default ${JSON.stringify(decodeURIComponent(file.pathname))};`);
  }
  const text = readText(file);
  if (text === undefined) return LEFT_TO_DENO;
  if (loader === "text") return javascript(`export default ${JSON.stringify(text)};`);
  if (loader === "json" || loader === "jsonc") return javascript(jsonModule(text, loader, file));
  const prefix = file.pathname.includes("/node_modules/") ? undefined : bunImportMeta(text);
  return prefix === undefined ? LEFT_TO_DENO : prefixed(nextLoad(url, context), prefix);
}

function javascript(source: string): LoadFnOutput {
  return { format: "module", source, shortCircuit: true };
}

/** Puts `prefix` before a module's first statement, on the same line, so that line numbers stay. */
function prefixed(loaded: LoadFnOutput, prefix: string): LoadFnOutput {
  if (typeof loaded.source !== "string") return loaded;
  const shebang = /^#![^\n]*\n/.exec(loaded.source)?.[0] ?? "";
  return { ...loaded, source: shebang + prefix + loaded.source.slice(shebang.length) };
}

/** The text of a file without its byte order mark; `undefined` when it can't be read, so that Deno says why. */
function readText(file: URL): string | undefined {
  try {
    return Deno.readTextFileSync(file).replace(/^\uFEFF/, "");
  } catch {
    return undefined;
  }
}

/** A module whose default export is the parsed text, with a named export for each key that is an identifier. */
function jsonModule(text: string, loader: "json" | "jsonc", file: URL): string {
  let value: unknown;
  try {
    value = loader === "jsonc" ? parseJsonc(text) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\s+/g, " ") : String(error);
    throw namelessError(`${file} is not valid JSON: ${reason}`);
  }
  const keys = value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.keys(value).filter((key) =>
      key !== "default" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)
    )
    : [];
  const names = keys.map((key, index) => `,k${index}=d[${JSON.stringify(key)}]`);
  const exported = keys.map((key, index) => `k${index} as ${key}`);
  // parsed there, not written as an object: `__proto__` is a key like any other in JSON
  return `const d=JSON.parse(${JSON.stringify(JSON.stringify(value))})${names.join("")};` +
    `export default d;export{${exported.join(",")}};`;
}
