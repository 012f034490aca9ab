import type { ResolveFnOutput, ResolveHookContext } from "node:module";
import { bunModuleUrl } from "./bun_module.ts";
import { bunSchemeMessage } from "./bun_scheme.ts";
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
 *   `./x.config.json`), and `.` and `..`.
 * - A package that is not found throws Node's sentence. (With a `load` hook registered, Deno 2.9.6 takes it for a
 *   file beside the module and fails with `Loading unprepared module`.)
 *
 * @throws {Error} as said above; otherwise what the default resolution throws.
 */
export function bunResolveHook(
  specifier: string,
  context: ResolveHookContext,
  nextResolve: NextResolve,
): ResolveFnOutput {
  if (specifier === "bun") return { url: bunModuleUrl(), shortCircuit: true };
  if (specifier.startsWith("bun:")) throw namelessError(bunSchemeMessage(specifier));
  const resolved = nextResolve(FOLDER.test(specifier) ? `${specifier}/` : specifier, context);
  const { parentURL } = context;
  if (!resolved.url.startsWith("file:") || parentURL === undefined || isFile(resolved.url)) return resolved;
  if (/^\.{0,2}\//.test(specifier) || FOLDER.test(specifier)) {
    const found = existingFile(resolved.url);
    return found === undefined ? resolved : { ...resolved, url: found };
  }
  if (!/^[a-z][a-z0-9+.-]*:/i.test(specifier) && resolved.url === new URL(specifier, parentURL).href) {
    throw namelessError(
      `Cannot find package '${packageOf(specifier)}' imported from ${decodeURIComponent(new URL(parentURL).pathname)}`,
    );
  }
  return resolved;
}

/** The file that Bun would take for a `file:` URL that names none. */
function existingFile(url: string): string | undefined {
  const base = url.replace(/\/+$/, "");
  const appended = url === base ? APPENDED.map((extension) => base + extension) : [];
  return [...appended, ...APPENDED.map((extension) => `${base}/index${extension}`)].find(isFile);
}

/** Whether a `file:` URL names a file; `false` when that can't be read either. */
function isFile(url: string): boolean {
  try {
    return Deno.statSync(new URL(url)).isFile;
  } catch {
    return false;
  }
}

/** The package a bare specifier starts with: `zod/v4` → `zod`, `@scope/name/x` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
