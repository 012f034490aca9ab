/**
 * The URLs that `scrape_webpage` reads for its argument `urls`: the same rule as in the tool, which is a file on its own
 * and can't share it. A test compares the two.
 */
export function scrapedUrls(list: string): string[] {
  return list
    .split(/,\s+|,(?=https?:\/\/)|(?<!\s)\s+(?=https?:\/\/)|[\r\n]/i)
    .flatMap((part) => {
      const [authority = ""] = /^\s*(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i.exec(part) ?? [];
      const hosts = authority.split(",");
      return [...hosts.slice(0, -1), (hosts.at(-1) ?? "") + part.slice(authority.length)];
    })
    .map((part) => part.replace(/^[\s,]+|(?<![\s,])[\s,]+$/g, ""))
    .filter(Boolean)
    .map((part) => hasScheme(part) ? part : `https://${part.replace(/^\/\//, "")}`);
}

function hasScheme(part: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(part) && !/^[^/?#]*:\d+(?:[/?#]|$)/.test(part);
}
