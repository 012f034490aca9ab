import { filePathOf, folderOf, isBare, joinPath, pathInMessages } from "./module_paths.ts";
import {
  regExpExec,
  replaceAll,
  replaceMatches,
  stringIncludes,
  stringIndexOf,
  stringSlice,
  stringTrim,
} from "./primordials.ts";
import { sentenceOf } from "./sentence.ts";

/** What a reason is told about. */
export interface LoadReasonContext {
  /** Absolute path of the tool's module. */
  path: string;
  /** Project root, and its `file:` URL. */
  root: string;
  rootUrl: string;
  /** The reason for which the import hooks refused an import, when `message` comes from that. */
  refusalIn: (message: string) => string | undefined;
}

const COMMONJS_CURE = "rename it to .cjs or use `export default`";
const readText = Deno.readTextFileSync;

/** Longest reason in UTF-16 units. */
const MAX_REASON = 2_000;

/** Marks URLs of JSON and text files that were imported without an attribute (see `module_hooks.ts`). */
export const AS_MODULE = "?as-module";

const COMMONJS_IN_ESM = /^(?:module|exports|require|__filename|__dirname) is not defined/;

/**
 * Why a module did not load, on one line (specification 2.2): a reason of our own, or `<path>: <message>` without
 * Deno's hints, colours and stack lines.
 */
export function loadReason(error: unknown, context: LoadReasonContext): string {
  const message = sentenceOf(error, "the module");
  const refusal = context.refusalIn(message);
  if (refusal !== undefined) return refusal;
  const name = pathInMessages(context.path, context.root);
  if (regExpExec(COMMONJS_IN_ESM, message) !== null) {
    const file = fileOf(error) ?? context.path;
    const found = stringSlice(message, 0, stringIndexOf(message, " "));
    return `${
      pathInMessages(file, context.root)
    }: it is CommonJS (\`${found}\` is not defined in a module): ` +
      COMMONJS_CURE;
  }
  const helper = commonJsHelper(message);
  if (helper !== undefined) {
    return `${pathInMessages(helper, context.root)}: it is CommonJS: ${COMMONJS_CURE}`;
  }
  const text = cleanMessage(message, context.rootUrl);
  const reason = `${name}: ${text === "" ? "it could not be loaded" : text}`;
  return reason.length > MAX_REASON ? stringSlice(reason, 0, MAX_REASON) + "…" : reason;
}

const LINK_ERROR =
  /^The requested module '([^']+)' does not provide an export named '[^']*' at (file:\/\/\/\S+):\d+:\d+$/;
const COMMONJS_SOURCE = /(?:^|[^.\w])(?:module\.exports|exports\.\w+)\s*=/;

/** The file whose export is missing because it is CommonJS under a name that makes it a module. */
function commonJsHelper(message: string): string | undefined {
  const match = regExpExec(LINK_ERROR, message);
  const importer = match === null ? undefined : filePathOf(match[2]!);
  if (match === null || importer === undefined || isBare(match[1]!)) return undefined;
  const path = joinPath(folderOf(importer), match[1]!);
  try {
    return regExpExec(COMMONJS_SOURCE, readText(path)) === null ? undefined : path;
  } catch {
    return undefined;
  }
}

// deno-lint-ignore no-control-regex -- the escape that starts a colour
const COLOUR = /\x1b\[[0-9;]*m/g;
/** Where the loader says that something is: `    at file:///p/tools/x.ts:1:10`, the last line of its message. */
const PLACE = /\n\s+at (file:\/\/\/\S+:\d+:\d+)/;
/** From here on a message of the loader is an excerpt of the source, a hint or a stack. */
const REST = /\n(?:\s*(?:\||\d+ \||hint:|info:|docs:|at |- |Specifier: )|Require stack:)[\s\S]*$/;

/** A message of Deno's loader, or of the module, as one line that names files as the project does. */
export function cleanMessage(message: string, rootUrl: string): string {
  const plain = replaceMatches(message, COLOUR, () => "");
  const place = regExpExec(PLACE, plain);
  const rest = regExpExec(REST, plain);
  const head = rest === null ? plain : stringSlice(plain, 0, rest.index);
  const where = place === null || stringIncludes(head, " at file:///") ? "" : ` at ${place[1]}`;
  const line = stringTrim(replaceMatches(head, /\s*\n\s*/g, () => " ")) + where;
  return replaceAll(replaceAll(line, rootUrl + "/", ""), AS_MODULE, "");
}

/** The file at the top of an error's stack, when it is one of the project. */
function fileOf(error: unknown): string | undefined {
  try {
    const stack = (error as { stack?: unknown }).stack;
    const match = typeof stack === "string"
      ? regExpExec(/\n\s+at (?:.*\()?(file:\/\/\/[^\s)]+):\d+:\d+/, stack)
      : null;
    return match === null ? undefined : filePathOf(match[1]!);
  } catch {
    return undefined;
  }
}
