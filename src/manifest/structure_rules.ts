import { BEEUNI_TOOLS, isBeeuniTool } from "../beeuni_tools/registry.ts";
import { isHarnessTool } from "./harness_tools.ts";
import type { IssueCode } from "./issue_codes.ts";
import { MERGE_KEY, PERMISSION_KEYS, SETTING_KEYS } from "./keys.ts";
import { nearest } from "./nearest.ts";
import type { Located } from "./parse/located.ts";
import { PERMISSION_ACTIONS } from "./permission_rules.ts";
import { MODULE_ENDINGS, SYS_KINDS, TIMEOUT_RANGE } from "./patterns.ts";
import { quote, shown } from "./quote.ts";

/** A place that does not fit the schema. */
export interface BadPlace {
  /** Keys and indexes that lead to it; the last is the key itself when the key is what is wrong. */
  segments: readonly string[];
  /** The value there. */
  value: Located;
  /** Whether the last segment is an index of a list. */
  inList: boolean;
}

/** What is wrong there, in the manifest's own terms. */
export interface Finding {
  code: IssueCode;
  message: string;
}

interface Rule {
  /** The place; `*` is any one segment. */
  at: readonly string[];
  /** Whether it is about the key, not about its value. */
  key?: true;
  find: (place: BadPlace) => Finding;
}

const always = (code: IssueCode, message: string) => (): Finding => ({ code, message });

/** The message for each place of the schema where a value or a key may be wrong (specification 1.2–1.6). */
export const STRUCTURE_RULES: readonly Rule[] = [
  { at: ["*"], key: true, find: mergeKey },
  { at: ["default_agent"], find: always("default_agent", "must be the name of an agent.") },

  {
    at: ["imports"],
    find: always("import_list", "must be a list of repo-relative paths (e.g. `- agents/support.yaml`)."),
  },
  { at: ["imports", "*"], find: importPath },

  {
    at: ["tools"],
    find: always("tools_type", "must be a map from each tool's name to `beeuni:<name>` or to its module."),
  },
  { at: ["tools", "*"], key: true, find: toolName },
  { at: ["tools", "*"], find: toolValue },

  {
    at: ["tool_settings"],
    find: always("settings_type", "must be a map from a tool's name to its settings."),
  },
  {
    at: ["tool_settings", "*"],
    find: always("settings_type", "must be a map with `timeout`, `fresh` or `permissions`."),
  },
  { at: ["tool_settings", "*", "*"], key: true, find: unknownKey("settings_key", "setting", SETTING_KEYS) },
  { at: ["tool_settings", "*", "timeout"], find: timeout },
  { at: ["tool_settings", "*", "fresh"], find: always("settings_fresh", "must be true or false.") },
  {
    at: ["tool_settings", "*", "permissions"],
    find: always("settings_permissions", "must be a map with `net`, `read`, `write`, `run`, `env` or `sys`."),
  },
  {
    at: ["tool_settings", "*", "permissions", "*"],
    key: true,
    find: unknownKey("permission_key", "permission", PERMISSION_KEYS),
  },
  { at: ["tool_settings", "*", "permissions", "*"], find: permission },
  { at: ["tool_settings", "*", "permissions", "*", "*"], find: permissionEntry },

  { at: ["agents"], find: always("agents_type", "must be a map from an agent's name to its settings.") },
  { at: ["agents", "*"], key: true, find: agentName },
  {
    at: ["agents", "*"],
    find: always("agents_type", "must be a map with `tools`, `secrets`, `model` and the like."),
  },
  { at: ["agents", "*", "*"], key: true, find: mergeKey },
  { at: ["agents", "*", "tools"], find: agentTools },
  { at: ["agents", "*", "tools", "*"], key: true, find: listedName },
  {
    at: ["agents", "*", "tools", "exclude"],
    find: always("agent_tools", "must be a list of names of tools."),
  },
  { at: ["agents", "*", "tools", "*"], find: agentToolsEntry },
  { at: ["agents", "*", "tools", "exclude", "*"], find: listedName },
  {
    at: ["agents", "*", "secrets"],
    find: always("agent_secrets", "must be all, none or a list of names of secrets."),
  },
  { at: ["agents", "*", "secrets", "*"], find: secretName },
  { at: ["agents", "*", "permission"], find: agentPermission },
  { at: ["agents", "*", "permission", "*"], key: true, find: permissionName },
  { at: ["agents", "*", "permission", "*"], find: permissionRule },
  { at: ["agents", "*", "permission", "*", "*"], key: true, find: permissionPattern },
  { at: ["agents", "*", "permission", "*", "*"], find: permissionAction },
  { at: ["agents", "*", "model"], find: agentModel },
  { at: ["agents", "*", "mode"], find: agentMode },
  { at: ["agents", "*", "*"], find: () => NOT_TEXT },
];

/** What to say about a place that does not fit; every place of the schema has a rule. */
export function findingFor(place: BadPlace, key: boolean): Finding {
  const rule = STRUCTURE_RULES.find((rule) =>
    (rule.key ?? false) === key && matches(rule.at, place.segments)
  );
  return rule?.find(place) ?? { code: "structure", message: "does not fit here: see `beeuni schema`." };
}

function matches(at: readonly string[], segments: readonly string[]): boolean {
  return at.length === segments.length && at.every((part, index) => part === "*" || part === segments[index]);
}

function lastOf(place: BadPlace): string {
  return place.segments.at(-1) ?? "";
}

function mergeKey(): Finding {
  return {
    code: "merge_key",
    message: `YAML 1.2 has no merge key (\`${MERGE_KEY}\`): write the entries out.`,
  };
}

function importPath(place: BadPlace): Finding {
  const start =
    "must be a repo-relative path of a .yaml or .yml file or of a folder (e.g. `agents/support.yaml`).";
  return { code: "import_path", message: start + pathReason(place.value) };
}

function toolName(place: BadPlace): Finding {
  const name = lastOf(place);
  if (name === MERGE_KEY) return mergeKey();
  if (isHarnessTool(name)) {
    return {
      code: "tool_name_harness",
      message: `${quote(name)} is a harness tool: give this tool another name.`,
    };
  }
  return {
    code: "tool_name",
    message: `${
      quote(name)
    } is not a tool name: use snake_case with at most 64 characters (^[a-z][a-z0-9_]{0,63}$).`,
  };
}

/** The published messages, and for a project's own tool what is wrong with its path. */
function toolValue(place: BadPlace): Finding {
  const name = lastOf(place);
  const code = "tool_value";
  const example = `(e.g. \`tools/${name}.ts\`)`;
  if (isBeeuniTool(name)) {
    return {
      code,
      message:
        `must be \`beeuni:${name}\` (the Beeuni tool) or a repo-relative path to a .ts or .js module ${example} ` +
        "that replaces it.",
    };
  }
  const start = `must be a repo-relative path to a .ts or .js module ${example}.`;
  const { value } = place;
  if (value.kind !== "scalar" || typeof value.data !== "string") {
    return { code, message: start + pathReason(value) };
  }
  if (!value.data.startsWith("beeuni:")) {
    return { code, message: start + (pathReason(value) || endingReason(value.data)) };
  }
  const meant = nearest(value.data.slice("beeuni:".length), BEEUNI_TOOLS) ?? nearest(name, BEEUNI_TOOLS);
  const end = meant === undefined ? "." : `: did you mean \`${meant}: beeuni:${meant}\`?`;
  return { code, message: `${start} \`beeuni:<name>\` names a Beeuni tool under its own name${end}` };
}

/** A sentence about what is wrong with a path, with a space before it; empty when that can't be told. */
function pathReason(value: Located): string {
  if (value.kind !== "scalar") return ` This is a ${value.kind}.`;
  const { data } = value;
  if (data === null || data === "") return " It is empty.";
  if (typeof data === "number") return " This is a number.";
  if (typeof data === "boolean") return " This is true or false.";
  if (data.includes("\\")) return " Write `/` between folders.";
  if (data.startsWith("/")) return " It can't start with `/`.";
  if (data.split("/").includes("..")) return " It can't contain `..`.";
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(data)) return ` ${quote(data)} is a URL.`;
  if (/[*?[\]{}]/.test(data)) return " Patterns such as `*` are not read here.";
  return "";
}

function endingReason(path: string): string {
  const fits = MODULE_ENDINGS.some((ending) => path.endsWith(ending));
  return fits ? "" : ` ${quote(path)} does not end in ${MODULE_ENDINGS.join(", ")}.`;
}

function unknownKey(code: IssueCode, what: string, known: readonly string[]): Rule["find"] {
  return (place) => {
    const name = lastOf(place);
    if (name === MERGE_KEY) return mergeKey();
    const meant = nearest(name, known);
    const end = meant === undefined ? ` Known are ${known.join(", ")}.` : ` Did you mean ${quote(meant)}?`;
    return { code, message: `${quote(name)} is not a ${what}.${end}` };
  };
}

function timeout(place: BadPlace): Finding {
  const { value } = place;
  const example = "(e.g. `30s`, `500ms`, `2m`)";
  if (value.kind === "scalar" && typeof value.data === "number") {
    return {
      code: "settings_timeout",
      message: `must be a duration with its unit ${example}: a bare number is refused.`,
    };
  }
  const duration = value.kind === "scalar" && /^[1-9][0-9]*(?:ms|s|m|h)$/.test(String(value.data));
  if (duration && !new RegExp(TIMEOUT_RANGE, "u").test(String(value.data))) {
    return { code: "settings_timeout", message: "must be from 100ms to 1h." };
  }
  return {
    code: "settings_timeout",
    message: `must be a duration with its unit ${example}, from 100ms to 1h.`,
  };
}

function permission(place: BadPlace): Finding {
  const name = lastOf(place);
  const isTrue = place.value.data === true;
  const messages: Record<string, string> = {
    net: "must be a list of hosts, true or false.",
    read: isTrue ? "can't be true: list the paths the tool may read." : "must be a list of paths, or false.",
    write: isTrue
      ? "can't be true: list the paths the tool may write."
      : "must be a list of paths, or false.",
    run: isTrue ? "can't be true: list the programs by name." : "must be a list of programs by name.",
    env: "must be a list of names of variables.",
    sys: `must be a list of: ${SYS_KINDS.join(", ")}.`,
  };
  return { code: "permission_value", message: messages[name] ?? "must be a list." };
}

function permissionEntry(place: BadPlace): Finding {
  const { value } = place;
  const name = place.segments.at(-2) ?? "";
  const text = value.kind === "scalar" ? value.text : `a ${value.kind}`;
  if (name === "net") {
    return {
      code: "permission_host",
      message: `${
        quote(text)
      } is not a host: write name, name:port, *.name, an IP or [ip6]:port, without scheme and path.`,
    };
  }
  const messages: Record<string, string> = {
    read: "must be a repo-relative or absolute path without `..`.",
    write: "must be a repo-relative or absolute path without `..`.",
    run: `${quote(text)} is not the name of a program: name it without a path.`,
    env: `${quote(text)} is not the name of a variable.`,
    sys: `${quote(text)} is not known: use ${SYS_KINDS.join(", ")}.`,
  };
  return { code: "permission_value", message: messages[name] ?? "does not fit here." };
}

function agentName(place: BadPlace): Finding {
  const name = lastOf(place);
  if (name === MERGE_KEY) return mergeKey();
  const message = `${quote(name)} is not an agent's name: use 1 to 128 characters without / and \\.`;
  return { code: "agent_name", message };
}

function agentTools(place: BadPlace): Finding {
  if (place.value.kind === "map") {
    return { code: "agent_tools", message: "`exclude` stands alone: list every tool to leave out below it." };
  }
  return {
    code: "agent_tools",
    message: "must be all, none, a list of tools, `exclude: [..]`, or a map of true and false.",
  };
}

function agentToolsEntry(place: BadPlace): Finding {
  if (place.inList) return listedName(place);
  const example = `\`${shown(lastOf(place))}: false\``;
  return { code: "agent_tools", message: `must be true or false: ${example} takes the tool away.` };
}

function listedName(place: BadPlace): Finding {
  if (lastOf(place) === MERGE_KEY) return mergeKey();
  return { code: "agent_tools", message: "must be the name of a tool." };
}

function secretName(place: BadPlace): Finding {
  const { value } = place;
  const text = value.kind === "scalar" ? value.text : `a ${value.kind}`;
  return {
    code: "agent_secrets",
    message: `${quote(text)} is not the name of a secret (^[A-Z_][A-Z0-9_]{0,63}$).`,
  };
}

function agentPermission(place: BadPlace): Finding {
  const message =
    "must be allow, ask or deny for every call, or a map from tools to one of them (e.g. `bash: ask`).";
  return { code: "agent_permission", message: message + nearestWord(place.value, PERMISSION_ACTIONS) };
}

function permissionName(place: BadPlace): Finding {
  const name = lastOf(place);
  if (name === MERGE_KEY) return mergeKey();
  const message = `${quote(name)} is not the name of a tool: write \`*\` for every tool, or the name of one.`;
  return { code: "agent_permission", message };
}

function permissionRule(place: BadPlace): Finding {
  const message =
    'must be allow, ask or deny, or a map from patterns to one of them (e.g. `"git *": allow`).';
  return { code: "agent_permission", message: message + nearestWord(place.value, PERMISSION_ACTIONS) };
}

function permissionPattern(place: BadPlace): Finding {
  if (lastOf(place) === MERGE_KEY) return mergeKey();
  return { code: "agent_permission", message: "must be a pattern: text, with `*` for any text in it." };
}

function permissionAction(place: BadPlace): Finding {
  const message = "must be allow, ask or deny.";
  return { code: "agent_permission", message: message + nearestWord(place.value, PERMISSION_ACTIONS) };
}

const NOT_TEXT: Finding = { code: "agent_value", message: "must be text." };

function agentModel({ value }: BadPlace): Finding {
  if (typeof value.data !== "string") return NOT_TEXT;
  return { code: "agent_model", message: "must be `<provider>/<model>` (e.g. `openai/gpt-5.1`)." };
}

function agentMode(place: BadPlace): Finding {
  if (typeof place.value.data !== "string") return NOT_TEXT;
  const message = "must be primary, subagent or all.";
  return { code: "agent_mode", message: message + nearestWord(place.value, ["primary", "subagent", "all"]) };
}

/** A sentence with the word that was probably meant, with a space before it; empty when none is close. */
function nearestWord(value: Located, words: readonly string[]): string {
  const meant = value.kind === "scalar" ? nearest(value.text.toLowerCase(), words) : undefined;
  return meant === undefined ? "" : ` Did you mean ${quote(meant)}?`;
}
