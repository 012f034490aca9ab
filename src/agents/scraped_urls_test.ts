import assert from "node:assert/strict";
import { scrapedUrls } from "./scraped_urls.ts";

/** The text of a function, without what differs between the two files: spacing, quotes, semicolons, comments. */
function body(source: string, name: string): string {
  const start = source.indexOf(`function ${name}(`);
  assert.notEqual(start, -1, name);
  return source.slice(source.indexOf("{\n", start), source.indexOf("\n}\n", start))
    .replace(/ \/\/ .*$/gm, "").replace(/[\s;]/g, "").replaceAll('"', "'");
}

Deno.test("scrapedUrls is the rule of scrape_webpage", () => {
  const read = (path: string) => Deno.readTextFileSync(new URL(path, import.meta.url));
  const tool = read("../beeuni_tools/scrape_webpage.ts");
  const own = read("./scraped_urls.ts");
  assert.equal(body(own, "scrapedUrls"), body(tool, "splitUrls"));
  assert.equal(body(own, "hasScheme"), body(tool, "hasScheme"));
});

Deno.test("scrapedUrls: several URLs, bare hosts", () => {
  assert.deepEqual(scrapedUrls("https://a.example/x,1, b.example\nhttp://c.example"), [
    "https://a.example/x,1",
    "https://b.example",
    "http://c.example",
  ]);
});
