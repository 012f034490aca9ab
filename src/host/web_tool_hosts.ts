/** Per web tool: its provider's key, the variable that replaces the provider's base, and the base (page 3.1). */
const PROVIDERS: Readonly<Record<string, { key: string; base: string; url: string }>> = {
  web_search: { key: "TAVILY_API_KEY", base: "TAVILY_BASE_URL", url: "https://api.tavily.com" },
  image_search: { key: "SERPER_API_KEY", base: "SERPER_BASE_URL", url: "https://google.serper.dev" },
  scrape_webpage: { key: "FIRECRAWL_API_KEY", base: "FIRECRAWL_BASE_URL", url: "https://api.firecrawl.dev" },
};

/** Names of the provider keys of the web tools. */
export const PROVIDER_KEYS: readonly string[] = Object.values(PROVIDERS).map((provider) => provider.key);

/**
 * The addresses a built-in web tool needs, as `host:port`: its provider (or what replaces its base), and Beeuni's
 * router when one is set (specification 2.4, 3.1). Empty for other tools.
 *
 * @param env `context.env` of the call.
 */
export function webToolHosts(tool: string, env: Readonly<Record<string, string>>): string[] {
  const provider = Object.hasOwn(PROVIDERS, tool) ? PROVIDERS[tool] : undefined;
  if (provider === undefined) return [];
  const hosts = [hostOf(env[provider.base]?.trim() || provider.url), hostOf(env.BEEUNI_API_URL)];
  return [...new Set(hosts.filter((host) => host !== undefined))];
}

function hostOf(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}
