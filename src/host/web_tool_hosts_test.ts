import assert from "node:assert/strict";
import { webToolHosts } from "./web_tool_hosts.ts";

Deno.test("webToolHosts: the provider, what replaces its base, and the router", () => {
  const cases: [tool: string, env: Record<string, string>, expected: string[]][] = [
    ["web_search", {}, ["api.tavily.com:443"]],
    ["image_search", {}, ["google.serper.dev:443"]],
    ["scrape_webpage", {}, ["api.firecrawl.dev:443"]],
    ["web_search", { BEEUNI_API_URL: "https://api.beeuni.ai/v1/" }, [
      "api.tavily.com:443",
      "api.beeuni.ai:443",
    ]],
    ["web_search", { TAVILY_BASE_URL: "http://127.0.0.1:4000/x" }, ["127.0.0.1:4000"]],
    ["web_search", { TAVILY_BASE_URL: "", BEEUNI_API_URL: "" }, ["api.tavily.com:443"]],
    ["web_search", { TAVILY_BASE_URL: " \n" }, ["api.tavily.com:443"]], // the module reads it so too
    ["web_search", { TAVILY_BASE_URL: "http://[::1]:80" }, ["[::1]:80"]],
    ["web_search", { TAVILY_BASE_URL: "http://proxy.test", BEEUNI_API_URL: "http://proxy.test:80" }, [
      "proxy.test:80",
    ]],
    ["web_search", { TAVILY_BASE_URL: "not a url", BEEUNI_API_URL: "file:///etc" }, []],
    ["web_search", { SERPER_BASE_URL: "http://other.test" }, ["api.tavily.com:443"]],
    ["memory", {}, []],
    ["constructor", {}, []],
  ];
  for (const [tool, env, expected] of cases) {
    assert.deepEqual(webToolHosts(tool, env), expected, JSON.stringify(env));
  }
});
