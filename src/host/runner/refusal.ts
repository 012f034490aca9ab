import { ALWAYS_PROTECTED } from "../protected_paths.ts";
import {
  regExpExec,
  replaceMatches,
  stringIncludes,
  stringIndexOf,
  stringSlice,
  stringStartsWith,
} from "./primordials.ts";

/** Whose right was refused, and which rights it has. */
export interface RefusalContext {
  /** Name of the tool. */
  tool: string;
  /** Absolute path of the project root: paths below it are named as the manifest does. */
  root: string;
  /** `true` = every address that is not closed to all tools. */
  net: boolean | readonly string[];
  run: readonly string[] | false;
}

/** Deno's refusal, wherever it stands in a text; group 1 the right, 2 what was asked for, 3 a place without a name. */
const REFUSAL =
  /Requires ([a-z]+) access(?: to (?:"([\s\S]*?)"|<([A-Z]+)>))?, run again with the --allow-[a-z]+ flag/g;
/** Deno's refusal to make a symbolic link under rights that are bound to paths. */
const LINK_REFUSAL =
  /Deno\.symlink(?:Sync)?\(\) requires unscoped --allow-read and --allow-write permissions;[^\n]*/g;
/** What Deno's `execFileSync` says when it may not start a program: nothing about the right. */
const RUN_FAILURE = /^Command failed: (\S+)[\s\S]*$/;

/**
 * Puts what is to be changed in place of Deno's words about a refused right (specification 2.4), also when the tool
 * wrapped them in a message of its own:
 * `lookup_order may not run "git": add it under tool_settings.lookup_order.permissions.run`.
 */
export function explainRefusals(text: string, context: RefusalContext): string {
  if (context.run === false) {
    const failure = regExpExec(RUN_FAILURE, text);
    if (failure !== null) return `${text} (${explain("run", failure[1], context)})`;
  }
  if (!stringIncludes(text, " run again with the --allow-") && !stringIncludes(text, "requires unscoped")) {
    return text;
  }
  const links = replaceMatches(text, LINK_REFUSAL, () => `${context.tool} may not make links: no tool may`);
  return replaceMatches(links, REFUSAL, (match) => explain(match[1]!, match[2], context));
}

function explain(right: string, target: string | undefined, context: RefusalContext): string {
  const { tool } = context;
  const setting = `tool_settings.${tool}.permissions.${right}`;
  const named = target === undefined
    ? ""
    : ` "${right === "read" || right === "write" ? nameOf(target, context) : target}"`;
  const add = target === undefined ? `add what it needs under ${setting}` : `add it under ${setting}`;
  switch (right) {
    case "run":
      return `${tool} may not run${named === "" ? " programs" : named}: ${add}`;
    case "net":
      if (context.net === true) {
        return `${tool} may not connect to${named}: this address is closed to every tool`;
      }
      return `${tool} may not connect to${named}: ${add}`;
    case "read":
      return `${tool} may not read${named === "" ? " files" : named}: ${add}`;
    case "write":
      if (target !== undefined && isAlwaysProtected(nameOf(target, context))) {
        return `${tool} may not write${named}: it is closed to every tool`;
      }
      return `${tool} may not write${named === "" ? " files" : named}: ${add}`;
    case "env":
      return `${tool} may not read the variable${named}: ${add}`;
    case "sys":
      return `${tool} may not ask the system for${named}: ${add}`;
    case "ffi":
      return `${tool} may not load native code${named}: no tool can be granted that`;
    case "import":
      return "remote imports are not available: install the package beside the module";
    default:
      return `${tool} may not use ${right}${named}: no tool can be granted that`;
  }
}

/** The path as the manifest writes it: relative to the root when it lies below. */
function nameOf(path: string, { root }: RefusalContext): string {
  return stringStartsWith(path, root + "/") ? stringSlice(path, root.length + 1) : path;
}

/** Whether `permissions.write` can't open this path either. */
function isAlwaysProtected(name: string): boolean {
  const slash = stringIndexOf(name, "/");
  const first = slash === -1 ? name : stringSlice(name, 0, slash);
  for (let index = 0; index < ALWAYS_PROTECTED.length; index++) {
    if (ALWAYS_PROTECTED[index] === first) return true;
  }
  return false;
}
