import type { Logger } from "../../log/logger.ts";
import type { OpenCodeClient } from "./opencode_client.ts";

/**
 * Compares the tools that OpenCode has with those it should have: a plugin that does not load is silent
 * (specification 4.1). The first request to a folder also sets it up.
 *
 * @returns The names that are missing.
 */
export async function missingTools(
  client: OpenCodeClient,
  expected: readonly string[],
  logger: Logger,
  signal?: AbortSignal,
): Promise<string[]> {
  const ids = await client.request("GET", "/experimental/tool/ids", signal === undefined ? {} : { signal });
  const missing = expected.filter((name) => !Array.isArray(ids) || !ids.includes(name));
  if (missing.length > 0) {
    logger.error("OpenCode did not load tools that it should have: its sessions go without them", {
      tools: missing,
    });
  }
  return missing;
}
