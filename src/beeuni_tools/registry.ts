/** The five Beeuni tools in registry order (specification 1). */
export const BEEUNI_TOOLS = ["web_search", "image_search", "scrape_webpage", "memory", "show"] as const;

/** The name of a Beeuni tool. */
export type BeeuniToolName = typeof BEEUNI_TOOLS[number];

/** Whether `name` is one of the five Beeuni tools. */
export function isBeeuniTool(name: string): name is BeeuniToolName {
  return (BEEUNI_TOOLS as readonly string[]).includes(name);
}
