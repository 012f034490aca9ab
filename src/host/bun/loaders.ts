/**
 * How a module is made of a file: `deno` leaves it to Deno, `file` gives its path, `refused` is what Bun parses and
 * this runtime does not; the others are read by `load_hook.ts`.
 */
export type Loader = "deno" | "json" | "jsonc" | "text" | "file" | "refused";

const BY_EXTENSION: Readonly<Record<string, Loader>> = {
  ...all("deno", "js cjs mjs jsx ts cts mts tsx wasm"),
  ...all("json", "json"),
  ...all("jsonc", "jsonc"),
  // Bun gives Markdown as HTML; the text is what can be given here
  ...all("text", "txt text md markdown"),
  ...all("refused", "toml yaml yml json5 xml html css node sh"),
};

/** Files that Bun reads as JSON with comments in spite of their name. */
const JSONC_NAMES = /\/(?:package|tsconfig|jsconfig)\.json$/;

/**
 * The loader Bun takes for an import (https://bun.com/docs/bundler/loaders).
 *
 * @param pathname Path of the file; a name without an extension is code, an unknown extension a `file`.
 * @param type The `type` attribute of the import.
 */
export function loaderOf(pathname: string, type: string | undefined): Loader {
  if (type === "json" || type === "text" || type === "bytes") return "deno";
  if (type !== undefined) return type === "jsonc" || type === "file" ? type : "refused";
  if (JSONC_NAMES.test(pathname)) return "jsonc";
  const extension = /[^/]\.([^./]+)$/.exec(pathname)?.[1]?.toLowerCase();
  if (extension === undefined) return "deno";
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension]! : "file";
}

function all(loader: Loader, extensions: string): Record<string, Loader> {
  return Object.fromEntries(extensions.split(" ").map((extension) => [extension, loader]));
}
