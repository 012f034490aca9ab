import type { ResolveFnOutput, ResolveHookContext } from "node:module";
import { bunModuleUrl } from "./bun_module.ts";
import { bunSchemeMessage } from "./bun_scheme.ts";
import { loaderOf } from "./loaders.ts";
import { namelessError } from "./nameless_error.ts";

type NextResolve = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput;

/** What Bun tries after a relative import that names no file, beyond what sloppy imports already do. */
const APPENDED = [".tsx", ".jsx", ".mts", ".ts", ".mjs", ".js", ".cts", ".cjs", ".json"] as const;

/** `.`, `..` and paths that end so: folders for Bun, while Deno wants a slash after them. */
const FOLDER = /(?:^|\/)\.\.?$/;

/**
 * A `resolve` hook for `registerHooks` of node:module: resolves as Bun documents.
 *
 * - `bun` from anywhere, node_modules included (the import map does not reach there); `require("bun")` never comes
 *   here, see `require_bun.ts`.
 * - `bun:<name>` throws the reason of specification 2.8.
 * - A relative import that names no file: Deno's sloppy imports did `./x` → `./x.ts`, `./x.js` → `./x.ts` and
 *   `./x` → `./x/index.ts` already; this adds `.json`, `.cjs`, `.cts`, a second extension (`./x.config` →
 *   `./x.config.json`), and `.` and `..`. The file that is found goes through the next hooks like any other.
 *
 * @throws {Error} for a `bun:` specifier; otherwise what the next hooks throw.
 */
export function bunResolveHook(
  specifier: string,
  context: ResolveHookContext,
  nextResolve: NextResolve,
): ResolveFnOutput {
  if (context.conditions?.includes("require")) return nextResolve(specifier, context);
  if (specifier === "bun") return { url: bunModuleUrl(), shortCircuit: true };
  if (specifier.startsWith("bun:")) throw namelessError(bunSchemeMessage(specifier));
  return asModule(existing(specifier, context, nextResolve), context.importAttributes?.type);
}

/**
 * Marks the URL of a file that `bunLoadHook` gives the source of. Deno keeps such a source by its URL alone: without a
 * mark the same file imported with an attribute somewhere else would be taken for this one, or this for it.
 */
function asModule(resolved: ResolveFnOutput, type: string | undefined): ResolveFnOutput {
  if (!resolved.url.startsWith("file:")) return resolved;
  const { pathname, search } = new URL(resolved.url);
  if (search !== "" || loaderOf(pathname, type) === "deno") return resolved;
  return { ...resolved, url: `${resolved.url}?${type ?? "module"}` };
}

/** Resolves a relative import to a file that exists, when Bun would find one. */
function existing(specifier: string, context: ResolveHookContext, nextResolve: NextResolve): ResolveFnOutput {
  const { parentURL } = context;
  if (!specifier.startsWith(".") || !parentURL?.startsWith("file:")) return nextResolve(specifier, context);
  const named = FOLDER.test(specifier) ? `${specifier}/` : specifier;
  let resolved: ResolveFnOutput | undefined;
  let failure: unknown;
  try {
    resolved = nextResolve(named, context);
    // a URL with a query or fragment names the same file
    if (!resolved.url.startsWith("file:") || isFile(resolved.url)) return resolved;
  } catch (error) {
    failure = error;
  }
  const found = appended(named).find((candidate) => isFile(new URL(candidate, parentURL).href));
  if (found !== undefined) return nextResolve(found, context);
  if (resolved === undefined) throw failure;
  return resolved;
}

/** The specifiers Bun tries in place of one that names no file. */
function appended(specifier: string): string[] {
  const base = specifier.replace(/\/+$/, "");
  const files = base === specifier ? APPENDED.map((extension) => base + extension) : [];
  return [...files, ...APPENDED.map((extension) => `${base}/index${extension}`)];
}

/** Whether a `file:` URL names a file; `false` when that can't be read either. */
function isFile(url: string): boolean {
  try {
    return Deno.statSync(new URL(url)).isFile;
  } catch {
    return false;
  }
}
