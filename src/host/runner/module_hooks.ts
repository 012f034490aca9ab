import { registerHooks } from "node:module";
import { HARNESS_TOOL_REASON } from "./contract.ts";
import { isHarnessPackage } from "./harness_packages.ts";
import { filePathOf, folderOf, isBare, isWithinAny, missingPackage, pathInMessages } from "./module_paths.ts";
import { facadeOf, facadeSource, isFacade } from "./node_facade.ts";
import {
  append,
  jsonParse,
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

/** Why an import is refused, kept apart from the errors of modules. */
class ImportRefusal extends Error {
  // Deno puts the text of a hook's error into the message of the error that `import()` gives.
  override readonly name = "";

  constructor(message: string, readonly code = "ERR_MODULE_NOT_FOUND") {
    super(message);
  }
}

const REMOTE_REASON = "remote imports are not available: install the package beside the module";
const REMOTE = /^(?:https?|npm|jsr):/i;

/** Marks the URL of a JSON or text file that was imported without an attribute, as Bun allows. */
const AS_MODULE = "?beeuni-as-module";
const TEXT = /\.(?:txt|text|md)$/i;
const JSON_FILE = /\.json$/i;

/** What Bun tries for a `require` without the right extension; for `import`, Deno does that itself. */
const EXTENSIONS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".json", "/index.ts", "/index.js"];

const realPathOf = Deno.realPathSync;
const readText = Deno.readTextFileSync;
const statOf = Deno.statSync;
const { NotFound, NotCapable } = Deno.errors;

/**
 * Watches all imports of this worker from now on: ESM, CommonJS, JSON, text, static or late (specification 2.2, 2.8).
 *
 * Each module is told by its real path before it is read, and refused before it is evaluated when that lies outside
 * the roots, is remote, or belongs to a harness. A package that is not there gives one message, however Deno words it.
 *
 * @returns Finds, in the message of a failed import, the reason that we refused it for.
 */
export function watchImports(rules: ImportRules): (message: string) => string | undefined {
  const reasons: string[] = [];
  const seen: Record<string, true> = Object.create(null);
  const refuse = (reason: string, code?: string): never => {
    append(reasons, reason);
    throw new ImportRefusal(reason, code);
  };

  /** Checks the real path of a module, and tells it. */
  const admit = (path: string, specifier: string, parent: string | undefined): void => {
    const name = pathInMessages(path, rules.root);
    let real: string;
    try {
      real = realPathOf(path);
    } catch (error) {
      if (error instanceof NotCapable) return refuse(`${name} leaves the project`);
      if (!(error instanceof NotFound)) throw error;
      if (parent === undefined) return refuse(`${name} does not exist`);
      return refuse(`Cannot find module '${specifier}' imported from ${pathInMessages(parent, rules.root)}`);
    }
    if (!isWithinAny(real, rules.roots)) return refuse(`${name} leaves the project`);
    if (seen[real] === true) return;
    seen[real] = true;
    rules.onModule(real);
  };

  const search = (specifier: string, importer: string) =>
    missingPackage({ specifier, importer, root: rules.root, nodeModules: rules.nodeModules });

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
        if (importer === undefined || code !== "MODULE_NOT_FOUND") throw error;
        if (isBare(specifier)) return refuse(search(specifier, importer), code);
        const found = required ? withExtension(specifier, importer) : undefined;
        if (found === undefined) throw error;
        resolved = next(found, context);
      }
      const { url } = resolved;
      if (stringStartsWith(url, "node:")) {
        const facade = required || isFacade(context.parentURL ?? "") ? undefined : facadeOf(url);
        return facade === undefined ? resolved : { ...resolved, url: facade };
      }
      if (regExpExec(REMOTE, url) !== null) return refuse(REMOTE_REASON);
      const path = filePathOf(url);
      if (path === undefined) return resolved;
      // Deno resolves a package that it did not find as if it were a file beside the importing one.
      if (importer !== undefined && isBare(specifier) && path === `${folderOf(importer)}/${specifier}`) {
        return refuse(search(specifier, importer));
      }
      admit(path, specifier, specifier === rules.entry ? undefined : importer);
      if (required || context.importAttributes?.type !== undefined) return resolved;
      const asModule = regExpExec(JSON_FILE, path) !== null || regExpExec(TEXT, path) !== null;
      return asModule ? { ...resolved, url: url + AS_MODULE } : resolved;
    },

    load(url, context, next) {
      if (isFacade(url)) return { format: "module", source: facadeSource(url), shortCircuit: true };
      const required = isRequire(context.conditions);
      if (stringEndsWith(url, AS_MODULE)) {
        return {
          format: "module",
          source: dataModule(stringSlice(url, 0, -AS_MODULE.length)),
          shortCircuit: true,
        };
      }
      const path = filePathOf(url);
      if (!required || path === undefined) {
        // No source: Deno reads the file itself, whatever its type, and checks the right to.
        return required ? next(url, context) : { format: undefined, source: undefined, shortCircuit: true };
      }
      if (regExpExec(JSON_FILE, path) !== null) {
        return { format: "json", source: withoutMark(readText(path)), shortCircuit: true };
      }
      if (regExpExec(TEXT, path) !== null) {
        return {
          format: "commonjs",
          source: `module.exports = ${jsonStringify(readText(path))};`,
          shortCircuit: true,
        };
      }
      return next(url, context);
    },
  });

  /** Source text of a module whose default export is what a JSON or text file holds. */
  function dataModule(url: string): string {
    const path = filePathOf(url) ?? "";
    const text = withoutMark(readText(path));
    if (regExpExec(JSON_FILE, path) === null) return `export default ${jsonStringify(text)};`;
    try {
      jsonParse(text);
    } catch (error) {
      return refuse(`${pathInMessages(path, rules.root)} is not valid JSON: ${sentenceOf(error)}`);
    }
    // Parsed there, not written as an object: `__proto__` is a member like any other in JSON.
    return `export default JSON.parse(${jsonStringify(text)});`;
  }

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

/** The file that a `require('./x')` means although it is a `.ts` one, or `./x.js` that is really `x.ts`. */
function withExtension(specifier: string, importer: string): string | undefined {
  const base = specifier[0] === "/" ? specifier : `${folderOf(importer)}/${specifier}`;
  const stems = regExpExec(/\.[cm]?js$/, base) === null
    ? [base]
    : [base, stringSlice(base, 0, base.length - (stringEndsWith(base, ".js") ? 3 : 4))];
  for (let stem = 0; stem < stems.length; stem++) {
    for (let index = 0; index < EXTENSIONS.length; index++) {
      const path = stems[stem]! + EXTENSIONS[index]!;
      try {
        if (statOf(path).isFile) return path;
      } catch {
        // Not that one.
      }
    }
  }
  return undefined;
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null ? (error as { code?: unknown }).code : undefined;
}

/** `text` without a byte order mark. */
function withoutMark(text: string): string {
  return stringStartsWith(text, "\ufeff") ? stringSlice(text, 1) : text;
}
