import type { ToolSettings } from "../manifest/model.ts";
import type { CallRequest } from "./types.ts";

/** Wall time of a call when nothing else is said, in milliseconds (specification 1.4, 3.1). */
const DEFAULT_TIMEOUT_MS = 120_000;
const WEB_TOOL_TIMEOUT_MS = 600_000;
const WEB_TOOLS = ["web_search", "image_search", "scrape_webpage"];

/** How long a call may run, in milliseconds: what its caller says, else the tool's setting, else the default. */
export function callTimeout(
  { tool, timeoutMs }: Pick<CallRequest, "tool" | "timeoutMs">,
  settings: Pick<ToolSettings, "timeoutMs"> | undefined,
): number {
  return timeoutMs ?? settings?.timeoutMs ??
    (WEB_TOOLS.includes(tool) ? WEB_TOOL_TIMEOUT_MS : DEFAULT_TIMEOUT_MS);
}
