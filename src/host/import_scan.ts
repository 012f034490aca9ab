import { dirname, join } from "node:path";

/** Specifiers of relative imports and requires with a literal string, also of `import()` at run time. */
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])(\.\.?\/[^"'\n]+)\1/g;

/** What may stand behind a specifier that has no extension, in Deno's order. */
const EXTENSIONS = [".ts", ".js", ".mts", ".mjs", ".tsx", ".jsx", ".cts", ".cjs", ".json"];

/**
 * The relative specifiers written in a module's text.
 *
 * A load sees only what is imported at once; a helper that `execute` imports belongs to the tool as well: its edit
 * must be seen, and it stays importable with `read: false`. A specifier in a comment does no harm.
 */
export function relativeImports(text: string): string[] {
  return [...new Set([...text.matchAll(RELATIVE_IMPORT)].map((match) => match[2] ?? ""))];
}

/**
 * The files a relative specifier may mean, best first, as extension-less and `.js`-for-`.ts` imports allow (2.8).
 *
 * @param from Absolute path of the importing module.
 */
export function importCandidates(specifier: string, from: string): string[] {
  const path = join(dirname(from), specifier.replace(/[?#].*$/, ""));
  const swapped = path.replace(/\.([mc]?)js$/, ".$1ts");
  return [
    ...new Set([
      path,
      swapped,
      ...EXTENSIONS.map((extension) => path + extension),
      ...EXTENSIONS.map((extension) => join(path, `index${extension}`)),
    ]),
  ];
}
