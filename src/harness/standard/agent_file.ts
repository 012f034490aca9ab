import { parse } from "yaml";

/** What a file of OpenCode may say about an agent of the manifest; its rules and its model stand in the manifest. */
const TAKEN = ["description", "mode", "prompt", "temperature", "top_p", "color", "steps"];

/**
 * An agent's Markdown file as OpenCode's configuration has it: the header's fields, and the text as its prompt.
 *
 * @throws {Error} when the header is no YAML.
 */
export function parseAgentFile(text: string): Record<string, unknown> {
  const source = text.replace(/^\uFEFF/, "");
  const header = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(source);
  const found = header?.index === 0 ? header : null;
  const fields: unknown = found === null
    ? {}
    : parse(found[1] ?? "", { maxAliasCount: 10, logLevel: "error" });
  const prompt = source.slice(found?.[0].length ?? 0).trim();
  const given = typeof fields === "object" && fields !== null ? fields : {};
  return { ...given, ...prompt !== "" && { prompt } };
}

/** Of an agent's settings in OpenCode's files those that are taken, and the names of the others. */
export function takenSettings(
  given: Record<string, unknown>,
): { taken: Record<string, unknown>; left: string[] } {
  const entries = Object.entries(given);
  return {
    taken: Object.fromEntries(entries.filter(([key]) => TAKEN.includes(key))),
    left: entries.map(([key]) => key).filter((key) => !TAKEN.includes(key)),
  };
}
