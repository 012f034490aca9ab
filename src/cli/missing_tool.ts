import { BeeuniError } from "../errors/error.ts";
import type { Catalogue } from "../host/types.ts";
import type { Manifest } from "../manifest/model.ts";
import { nearest } from "../manifest/nearest.ts";

/**
 * Why there is no such tool: it did not load, no agent may use it, the project removed it, or its name is close to
 * another one's.
 */
export function missingTool(
  name: string,
  manifest: Pick<Manifest, "tools">,
  { failed, unused, removed }: Pick<Catalogue, "failed" | "unused" | "removed">,
): BeeuniError {
  const message = `no tool named ${name} is loaded`;
  const failure = failed.find((tool) => tool.name === name);
  if (failure !== undefined) {
    const details = { reason: failure.error };
    return new BeeuniError("tool_not_found", message, { hint: `It did not load: ${failure.error}`, details });
  }
  if (unused.includes(name)) {
    return new BeeuniError("tool_not_found", message, {
      hint: "No agent may use it: add it to an agent's `tools`.",
    });
  }
  if (removed.includes(name)) {
    return new BeeuniError("tool_not_found", message, {
      hint: `The project removed it: add \`${name}: beeuni:${name}\` under \`tools:\`.`,
    });
  }
  const near = nearest(name, manifest.tools.map((tool) => tool.name));
  return new BeeuniError("tool_not_found", message, {
    hint: near === undefined ? "`beeuni tools ls` lists the tools." : `Did you mean ${near}?`,
  });
}
