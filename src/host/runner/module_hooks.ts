import { registerHooks } from "node:module";
import { HARNESS_TOOL_REASON } from "./contract.ts";
import { isHarnessPackage } from "./harness_packages.ts";
import { AS_MODULE } from "./load_reason.ts";
import {
  filePathOf,
  folderOf,
  isBare,
  isWithinAny,
  joinPath,
  missingPackage,
  pathInMessages,
} from "./module_paths.ts";
import { facadeOf, facadeSource, installFacades, isFacade } from "./node_facade.ts";
import {
  append,
  jsonStringify,
  regExpExec,
  stringEndsWith,
  stringIncludes,
  stringSlice,
  stringStartsWith,
} from "./primordials.ts";
import { sentenceOf } from "./sentence.ts";

/** What may be imported, and who is told. */
export interface ImportRules {
  /** `file:` URL of the tool's own module. */
  entry: string;
  /** Project root, for messages. */
  root: string;
  /** Folders a module may lie in, by real path. */
  roots: readonly string[];
  /** `node_modules` folders of the tool, nearest first. */
  nodeModules: readonly string[];
  /** Told of each module of the graph once, by real path, before it is read. */
  onModule: (path: string) => void;
}

/** Finds, in the message of a failed import, the reason for which we refused it. */
export type RefusalFinder = (message: string) => string | undefined;

/** An import we refuse. */
class ImportRefusal extends Error {
  // Deno puts the text of a hook's error, with its name before it, into the message that `import()` rejects with.
  override readonly name = "";

  constructor(message: string, readonly code: string) {
    super(message);
  }
}

const REMOTE_REASON = "remote imports are not available: install the package beside the module";
const REMOTE = /^(?:https?|npm|jsr):/i;

/**
 * A file that is data; imported without an attribute, as Bun allows, it becomes a module. Its URL is marked then: the
 * same file imported with an attribute is another module, and Deno keeps modules by URL.
 */
const DATA = /\.(?:jsonc?|txt|text)$/i;

const realPathOf = Deno.realPathSync;
const readText = Deno.readTextFileSync;
const statOf = Deno.statSync;
const { NotFound, NotCapable } = Deno.errors;

/**
 * Watches all imports of this worker from now on: ESM, CommonJS, JSON, text, static or late (specification 2.2).
 *
 * Each module is told by its real path before it is read, and refused before it is evaluated when that lies outside
 * the roots, is remote, or belongs to a harness. A package that is not there gives one message, however Deno words it.
 *
 * To be called after `installBun`: the hooks registered last come first, so these see the file that Bun's rules gave.
 */
export function watchImports(rules: ImportRules): RefusalFinder {
  const reasons: string[] = [];
  const seen: Record<string, true> = Object.create(null);

  const refuse = (reason: string, code?: unknown): never => {
    append(reasons, reason);
    throw new ImportRefusal(reason, typeof code === "string" ? code : "ERR_MODULE_NOT_FOUND");
  };
  const refuseMissing = (specifier: string, importer: string, code?: unknown): never => {
    const { root, nodeModules } = rules;
    return refuse(missingPackage({ specifier, importer, root, nodeModules }), code);
  };

  /** Checks where a module really lies, and tells it. */
  const admit = (path: string, specifier: string, importer: string | undefined): void => {
    const name = pathInMessages(path, rules.root);
    let real: string;
    try {
      real = realPathOf(path);
    } catch (error) {
      if (error instanceof NotCapable) return refuse(`${name} leaves the project`);
      if (!(error instanceof NotFound)) throw error;
      if (importer === undefined) return refuse(`${name} does not exist`);
      return refuse(
        `Cannot find module '${specifier}' imported from ${pathInMessages(importer, rules.root)}`,
      );
    }
    if (!isWithinAny(real, rules.roots)) return refuse(`${name} leaves the project`);
    if (seen[real] === true) return;
    seen[real] = true;
    rules.onModule(real);
  };

  installFacades();
  registerHooks({
    resolve(specifier, context, next) {
      const importer = filePathOf(context.parentURL ?? "");
      const required = isRequire(context.conditions);
      if (regExpExec(REMOTE, specifier) !== null) return refuse(REMOTE_REASON);
      if (
        isHarnessPackage(specifier) && importer !== undefined && !stringIncludes(importer, "/node_modules/")
      ) {
        return refuse(HARNESS_TOOL_REASON);
      }
      let resolved: ReturnType<typeof next>;
      try {
        resolved = next(specifier, context);
      } catch (error) {
        const code = codeOf(error);
        if (error instanceof NotCapable && importer !== undefined && !isBare(specifier)) {
          // `require` looks behind links before it asks.
          const path = filePathOf(specifier) ?? joinPath(folderOf(importer), specifier);
          return refuse(`${pathInMessages(path, rules.root)} leaves the project`);
        }
        if (importer === undefined || !isNotFound(error, code)) throw error;
        if (isBare(specifier)) return refuseMissing(specifier, importer, code);
        const found = required ? withExtension(specifier, importer) : undefined;
        if (found === undefined) throw error;
        resolved = next(found, context);
      }
      const { url } = resolved;
      if (stringStartsWith(url, "node:")) {
        const facade = required ? undefined : facadeOf(url);
        return facade === undefined ? resolved : { ...resolved, url: facade };
      }
      if (regExpExec(REMOTE, url) !== null) return refuse(REMOTE_REASON);
      const path = filePathOf(url);
      if (path === undefined) return resolved;
      // Deno takes a package that it does not find for a file beside the importing one.
      if (importer !== undefined && isBare(specifier) && path === `${folderOf(importer)}/${specifier}`) {
        return refuseMissing(specifier, importer);
      }
      admit(path, specifier, specifier === rules.entry ? undefined : importer);
      const asModule = !required && context.importAttributes?.type === undefined &&
        regExpExec(DATA, path) !== null;
      return asModule ? { ...resolved, url: url + AS_MODULE } : resolved;
    },

    load(url, context, next) {
      if (isFacade(url)) return { format: "module", source: facadeSource(url), shortCircuit: true };
      const path = isRequire(context.conditions) ? filePathOf(url) : undefined;
      if (path === undefined) return next(url, context);
      // With a load hook, Deno takes whatever is required for JavaScript.
      if (stringEndsWith(path, ".json")) return { format: "json", source: textOf(path), shortCircuit: true };
      if (regExpExec(DATA, path) !== null && !stringEndsWith(path, ".jsonc")) {
        return {
          format: "commonjs",
          source: `module.exports = ${jsonStringify(textOf(path))};`,
          shortCircuit: true,
        };
      }
      return next(url, context);
    },
  });

  return (message) => {
    for (let index = reasons.length - 1; index >= 0; index--) {
      if (stringIncludes(message, reasons[index]!)) return reasons[index];
    }
    return undefined;
  };
}

/** Whether a hook was called for `require`. */
function isRequire(conditions: readonly string[] | undefined): boolean {
  for (let index = 0; index < (conditions?.length ?? 0); index++) {
    if (conditions![index] === "require") return true;
  }
  return false;
}

/** What Bun tries after a path that names no file. */
const EXTENSIONS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

/** The file that `require("./x")` means although it is `x.ts`, or `require("./x.js")` although there is only `x.ts`. */
function withExtension(specifier: string, importer: string): string | undefined {
  const base = joinPath(folderOf(importer), specifier);
  const ending = regExpExec(/\.[cm]?js$/, base);
  const stem = ending === null ? base : stringSlice(base, 0, ending.index);
  for (let index = 0; index < EXTENSIONS.length; index++) {
    try {
      if (statOf(stem + EXTENSIONS[index]!).isFile) return stem + EXTENSIONS[index]!;
    } catch {
      // Not that one.
    }
  }
  return undefined;
}

/** Whether an import failed because there is no such package or file: in Node's words, or in those of `../bun`. */
function isNotFound(error: unknown, code: unknown): boolean {
  return code === "MODULE_NOT_FOUND" || stringStartsWith(sentenceOf(error), "Cannot find package '");
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? (error as { code?: unknown }).code : undefined;
}

/** Text of a file without its byte order mark. */
function textOf(path: string): string {
  const text = readText(path);
  return stringStartsWith(text, "\ufeff") ? stringSlice(text, 1) : text;
}
