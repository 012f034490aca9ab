import type { LoadFnOutput, LoadHookContext } from "node:module";
import { bunModuleSource, bunModuleUrl } from "./bun_module.ts";
import { bunImportMeta } from "./import_meta.ts";
import { parseJsonc } from "./jsonc.ts";
import { namelessError } from "./nameless_error.ts";

type NextLoad = (url: string, context?: Partial<LoadHookContext>) => LoadFnOutput;

/** The kinds of files Bun imports without an attribute; `code` is left to Deno. */
type Loader = "code" | "json" | "jsonc" | "text" | "file" | "refused";

const LOADERS: Readonly<Record<string, Loader>> = {
  ...loaders("code", "js cjs mjs jsx ts cts mts tsx wasm"),
  ...loaders("json", "json"),
  ...loaders("jsonc", "jsonc"),
  ...loaders("text", "txt text"),
  // Bun parses or renders these; there is nothing here to do that with
  ...loaders("refused", "toml yaml yml json5 xml md markdown html css node sh"),
};

/** Files that Bun reads as JSON with comments in spite of their name. */
const JSONC_NAMES = /\/(?:package|tsconfig|jsconfig)\.json$/;

/**
 * What a `load` hook returns to leave a module to Deno: no source. It is then read, checked against the worker's
 * rights and transpiled as without hooks, and costs no copy of its text (Deno 2.9.6).
 */
const LEFT_TO_DENO = { source: null, shortCircuit: true } as LoadFnOutput & { source: null };

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
  const type = context.importAttributes?.type;
  if (type === "json" || type === "text" || type === "bytes") return LEFT_TO_DENO;
  const { pathname } = new URL(url);
  const loader = type === undefined ? loaderOf(pathname) : type === "jsonc" || type === "file" ? type : "refused";
  if (loader === "refused") {
    throw namelessError(
      `${pathOf(url)} can't be imported in this runtime: import it with { type: "text" } and parse it`,
    );
  }
  if (loader === "file") return javascript(`export default ${JSON.stringify(pathOf(url))};`);
  const text = readText(url);
  if (text === undefined) return LEFT_TO_DENO;
  if (loader === "text") return javascript(`export default ${JSON.stringify(text)};`);
  if (loader === "code") {
    const prefix = pathname.includes("/node_modules/") ? undefined : bunImportMeta(text);
    return prefix === undefined ? LEFT_TO_DENO : prefixed(nextLoad(url, context), prefix);
  }
  return javascript(jsonModule(text, loader === "jsonc" || JSONC_NAMES.test(pathname), pathOf(url)));
}

function loaders(loader: Loader, extensions: string): Record<string, Loader> {
  return Object.fromEntries(extensions.split(" ").map((extension) => [extension, loader]));
}

/** The loader for a path; a name without an extension is code, an unknown extension a file. */
function loaderOf(pathname: string): Loader {
  const extension = /[^/]\.([^./]+)$/.exec(pathname)?.[1]?.toLowerCase();
  return extension === undefined ? "code" : LOADERS[extension] ?? "file";
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
function readText(url: string): string | undefined {
  try {
    return Deno.readTextFileSync(new URL(url)).replace(/^\uFEFF/, "");
  } catch {
    return undefined;
  }
}

/** Absolute path of a `file:` URL. */
function pathOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname);
}

/** A module whose default export is the parsed text, with a named export for each key that is an identifier. */
function jsonModule(text: string, comments: boolean, path: string): string {
  let value: unknown;
  try {
    value = comments ? parseJsonc(text) : JSON.parse(text);
  } catch (error) {
    throw namelessError(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const keys = value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.keys(value).filter((key) => key !== "default" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key))
    : [];
  const names = keys.map((key, index) => `k${index}=d[${JSON.stringify(key)}]`);
  const exported = keys.map((key, index) => `k${index} as ${key}`);
  return `const d=JSON.parse(${JSON.stringify(JSON.stringify(value))})${names.map((name) => `,${name}`).join("")};` +
    `export default d;export{${exported.join(",")}};`;
}
