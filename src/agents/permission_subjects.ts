import { isAbsolute, join, normalize, relative } from "node:path/posix";
import { bashCommands } from "./bash_commands.ts";
import { scrapedUrls } from "./scraped_urls.ts";
import { knownSubject, type Subject } from "./subject.ts";
import { UNKNOWN } from "./wildcard.ts";

/** Where a call is made. */
export interface SubjectOptions {
  /** Absolute path of the project root. */
  root: string;
}

/** The subject of a call of which nothing is known that a pattern could tell apart. */
const ANYTHING: readonly Subject[] = [knownSubject("*")];

/** Beeuni tools and editing tools that share a capability (specification 4.1); any other tool has its own. */
const CAPABILITIES: ReadonlyMap<string, string> = new Map([
  ["web_search", "websearch"],
  ["image_search", "websearch"],
  ["scrape_webpage", "webfetch"],
  ["memory", "edit"],
  ["write", "edit"],
  ["edit", "edit"],
  ["apply_patch", "edit"],
]);

/** The capability that a call needs (specification 4.1): the word a permission rule may use for several tools. */
export function capabilityOf(tool: string, args: Record<string, unknown>): string {
  if (tool === "memory" && args.command === "view") return "read";
  return CAPABILITIES.get(tool) ?? tool;
}

/**
 * What a call touches, each as a text for people; never empty, `*` for a tool that no pattern can tell apart.
 *
 * To decide, use `decidePermission`: a text alone does not say which part of a command is only known when it runs.
 */
export function permissionSubjects(
  tool: string,
  args: Record<string, unknown>,
  options: SubjectOptions,
): string[] {
  return subjectsOf(tool, args, options).map(({ text }) => text);
}

/** As {@link permissionSubjects}, with what patterns are compared with. */
export function subjectsOf(
  tool: string,
  args: Record<string, unknown>,
  { root }: SubjectOptions,
): readonly Subject[] {
  const found = find(tool, args, root);
  return found.length === 0 ? ANYTHING : found;
}

function find(tool: string, args: Record<string, unknown>, root: string): readonly Subject[] {
  const path = (value: string): Subject[] => [knownSubject(repoPath(value, root))];
  switch (tool) {
    case "bash":
      return subjects(args.command, bashCommands);
    case "read":
    case "write":
    case "edit":
      return subjects(args.filePath, path);
    case "apply_patch":
      return subjects(args.patchText, (patch) => patchedPaths(patch).flatMap(path));
    case "memory":
      return [args.path, args.old_path, args.new_path].flatMap((value) =>
        subjects(value, (place) => path(memoryPath(place)))
      );
    case "list":
    case "grep":
      return subjects(args.path ?? ".", (place) => [folder(place, root)]);
    case "glob":
      return subjects(
        args.path ?? ".",
        (place) => subjects(args.pattern, (pattern) => [globbed(place, pattern, root)]),
      );
    case "webfetch":
      return subjects(args.url, (url) => [fetched(url)]);
    case "scrape_webpage":
      return subjects(args.urls, (urls) => scrapedUrls(urls).map(fetched));
    case "websearch":
    case "web_search":
    case "image_search":
      return subjects(args.query, (query) => separateQueries(query).map(knownSubject));
    case "task":
      return subjects(args.subagent_type, (name) => [knownSubject(name.trim())]);
    case "skill":
      return subjects(args.name, (name) => [knownSubject(name.trim())]);
    default:
      return ANYTHING;
  }
}

/** The subjects in an argument; none when it is absent. What is no text may become any text when the tool reads it. */
function subjects(value: unknown, read: (text: string) => readonly Subject[]): readonly Subject[] {
  if (value === undefined || value === null || value === "") return [];
  return typeof value === "string" ? read(value) : [{ text: "*", forms: [UNKNOWN], maybe: [UNKNOWN] }];
}

/** The queries of one argument, as `web_search` and `image_search` take it apart. */
function separateQueries(query: string): string[] {
  return query.split("|||").map((part) => part.trim()).filter((part) => part !== "");
}

/** A path given to `memory`, as the tool reads it: `/memories/x`, `./memory/x` and `memory/x` are one file. */
function memoryPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, "").replace(/^memories(?=\/|$)/, "memory");
}

/** A path relative to the project root, `.` for the root itself; outside of it the absolute path. */
function repoPath(path: string, root: string): string {
  const full = normalize(isAbsolute(path) ? path : join(root, path));
  const base = normalize(root + "/");
  const inside = `${full}/` === base || full === base || full.startsWith(base);
  const found = inside ? relative(base, full) : full.length > 1 ? full.replace(/\/$/, "") : full;
  return found === "" ? "." : found;
}

/** A folder that is searched: what is in it is touched too. */
function folder(path: string, root: string): Subject {
  const found = repoPath(path, root);
  return { text: found, forms: [found], maybe: [found === "." ? UNKNOWN : `${found}/${UNKNOWN}`] };
}

/** The folder that a glob pattern leads to before its first wildcard. */
function globbed(path: string, pattern: string, root: string): Subject {
  const parts = pattern.split("/");
  const wild = parts.findIndex((part) => /[*?[\]{}!()\\]/.test(part));
  const fixed = wild < 0 ? parts : parts.slice(0, wild);
  const start = pattern.startsWith("/") ? fixed.join("/") || "/" : join(path, ...fixed);
  // `*/../../x` leads anywhere.
  const anywhere = wild >= 0 && parts.slice(wild).some((part) => part.includes(".."));
  return anywhere ? { text: pattern, forms: [UNKNOWN], maybe: [UNKNOWN] } : folder(start, root);
}

/** The files that a patch in OpenCode's format adds, changes, deletes and moves to. */
function patchedPaths(patch: string): string[] {
  return patch.split("\n").flatMap((line) => {
    const found = /^\s*\*\*\* (?:Add File|Update File|Delete File|Move to):(.*)$/.exec(line)?.[1]?.trim();
    return found === undefined || found === "" ? [] : [found];
  });
}

/**
 * A URL in its one spelling: `HTTPS://Example.com` is `https://example.com/`. With a name before its host, a dot behind
 * it or letters written as `%61` it leads to the same page and is another text: a stricter rule for the plain one counts.
 */
function fetched(url: string): Subject {
  const found = URL.parse(url);
  if (found === null) return knownSubject(url);
  const { href } = found;
  [found.username, found.password, found.hash] = ["", "", ""];
  found.hostname = found.hostname.replace(/\.$/, "");
  const plain = found.href.replaceAll(/%([0-9a-f]{2})/gi, (written, hex) => {
    const letter = String.fromCharCode(parseInt(hex, 16));
    return /[\w.~-]/.test(letter) ? letter : written;
  });
  return { text: href, forms: [href], maybe: plain === href ? [] : [plain] };
}
