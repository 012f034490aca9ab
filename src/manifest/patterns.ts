import type { BeeuniToolName } from "../beeuni_tools/registry.ts";

// Sources of regular expressions that the JSON Schema and the messages share (specification 1.2–1.5). They are read
// with the `u` flag, and an editor may read them without: so no `\p{…}`, no look-behind, no flags.

/** A tool's name. */
export const TOOL_NAME = "^[a-z][a-z0-9_]{0,63}$";

/** Any text but control characters, in which a message or a line of output would break. */
const PRINTABLE = "[^\\u0000-\\u001f\\u007f]";

/** What a repo-relative path may not begin with: `/`, or a scheme such as `https:` and `npm:`; nor have a `..` part. */
const REPO_RELATIVE = "(?!/)(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))";

/** Endings of a module. */
export const MODULE_ENDINGS = [".ts", ".js", ".mts", ".mjs", ".cts", ".cjs"];

const MODULE_BODY =
  `${REPO_RELATIVE}[^\\\\\\u0000-\\u001f\\u007f]*[^/\\\\\\u0000-\\u001f\\u007f]\\.(?:ts|js|mts|mjs|cts|cjs)`;

/** A repo-relative path of a module. */
export const MODULE_PATH = `^${MODULE_BODY}$`;

/** What the line of a Beeuni tool may say: itself, or the module that replaces it. */
export function beeuniToolValue(name: BeeuniToolName): string {
  return `^(?:beeuni:${name}|${MODULE_BODY})$`;
}

/** A repo-relative path of a manifest file or a folder of them; no glob. */
export const IMPORT_PATH = `^${REPO_RELATIVE}[^\\\\*?\\[\\]{}\\u0000-\\u001f\\u007f]+$`;

/** A duration, and those from 100 ms to 1 h. */
export const DURATION = "^[1-9][0-9]*(ms|s|m|h)$";
export const TIMEOUT_RANGE = "^(?:" + [
  "(?:[1-9][0-9]{2,5}|[12][0-9]{6}|3[0-5][0-9]{5}|3600000)ms",
  "(?:[1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|3600)s",
  "(?:[1-9]|[1-5][0-9]|60)m",
  "1h",
].join("|") + ")$";

/** A folder or file of a `read` or `write` list: repo-relative or absolute, without a `..` part. */
export const GRANTED_PATH =
  `^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!(?:.*/)?\\.\\.(?:/|$))[^\\\\\\u0000-\\u001f\\u007f]+$`;

/** A program of a `run` list: by name, not by path. */
export const PROGRAM_NAME = "^[A-Za-z0-9_+][A-Za-z0-9_.+-]*$";

/** A variable of an `env` list. */
export const VARIABLE_NAME = "^[A-Za-z_][A-Za-z0-9_]*$";

const LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?";
/** The last label starts with a letter, so that `2130706433` and `0x7f.1` are no names: systems read them as addresses. */
const HOST_NAME = `(?:${LABEL}\\.)*[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?`;
const BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;
const IPV6 = ipv6();
const PORT = "(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";

/** An entry of a `net` list: `name`, `name:port`, `*.name`, an IP, `[ip6]:port`. No scheme, no path. */
export const HOST = `^(?:(?:${HOST_NAME}|${IPV4}|\\[${IPV6}\\])(?::${PORT})?|\\*\\.${HOST_NAME}|${IPV6})$`;

/** A secret (specification 4.5). */
export const SECRET_NAME = "^[A-Z_][A-Z0-9_]{0,63}$";

/** An agent's name: folders and files are named after it. */
export const AGENT_NAME = "^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]{1,128}$";

/** A name in an agent's list of tools. */
export const LISTED_NAME = `^${PRINTABLE}+$`;

/** A name in an agent's permission rules: `*`, or a capability or tool; part of a name is no pattern here. */
export const PERMISSION_NAME = "^(?:\\*|[^*?\\u0000-\\u001f\\u007f]+)$";

/** A pattern of a permission rule; a command may have several lines. */
export const PERMISSION_PATTERN = "^[^\\u0000]+$";

/** What a permission rule says. */
export const PERMISSION_ACTION = "^(?:allow|ask|deny)$";

/** An agent's model, `<provider>/<model>`. */
export const MODEL_REF = "^[^/\\s]+/[^\\s]+$";

/** An agent's mode. */
export const AGENT_MODE = "^(?:primary|subagent|all)$";

/** What Deno's `sys` permission knows; another word would keep the sandbox from starting. */
export const SYS_KINDS = [
  "hostname",
  "osRelease",
  "osUptime",
  "loadavg",
  "networkInterfaces",
  "systemMemoryInfo",
  "uid",
  "gid",
  "username",
  "cpus",
  "homedir",
  "statfs",
  "getPriority",
  "setPriority",
  "userInfo",
];

/** `IPv6address` of RFC 3986, section 3.2.2. */
function ipv6(): string {
  const h16 = "[0-9A-Fa-f]{1,4}";
  const ls32 = `(?:${h16}:${h16}|${IPV4})`;
  const upTo = (count: number) => (count === 0 ? "" : `(?:(?:${h16}:){0,${count - 1}}${h16})?`);
  const forms = [`(?:${h16}:){6}${ls32}`];
  for (let after = 5; after >= 0; after--) forms.push(`${upTo(5 - after)}::(?:${h16}:){${after}}${ls32}`);
  forms.push(`${upTo(6)}::${h16}`, `${upTo(7)}::`);
  return `(?:${forms.join("|")})`;
}
