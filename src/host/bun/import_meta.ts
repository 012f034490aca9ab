/** Bun's own members of `import.meta`, as expressions (those it shares with Deno are left alone). */
const MEMBERS: Readonly<Record<string, string>> = {
  dir: "import.meta.dirname",
  path: "import.meta.filename",
  file: 'import.meta.filename.slice(import.meta.filename.lastIndexOf("/")+1)',
  env: "Bun.env",
};

/**
 * JavaScript that gives a module the members of Bun's `import.meta` it mentions (`dir`, `path`, `file`, `env`), to
 * stand before its first statement on the same line.
 *
 * @param text The module's text as in the file.
 * @returns `undefined` when it mentions none: almost always.
 */
export function bunImportMeta(text: string): string | undefined {
  if (!text.includes("import.meta.")) return undefined;
  const mentioned = Object.keys(MEMBERS).filter((name) =>
    new RegExp(`import\\.meta\\.${name}\\b`).test(text)
  );
  if (mentioned.length === 0) return undefined;
  return mentioned.map((name) => `import.meta.${name}??=${MEMBERS[name]};`).join("");
}
