import { parse, type VariableDeclaration } from "acorn";

/**
 * Refuses a minified bundle that lost a `using` declaration.
 *
 * The bundler of Deno 2.9.6 puts a variable that only the next statement needs into that statement, also one declared
 * by `using`: what it holds is then never disposed. A lock stayed that way, and a temporary folder. Such a place is
 * written `const x = …; using _x = x;`, which it leaves alone.
 *
 * @param entry What was bundled, for the message.
 * @throws {Error} when there are fewer declarations than in the plain bundle.
 */
export function checkUsing(entry: string, plain: readonly string[], minified: readonly string[]): void {
  const had = plain.flatMap(declarations);
  const has = minified.flatMap(declarations);
  if (had.length === has.length) return;
  throw new Error(
    `${entry}: the bundle has ${has.length} of ${had.length} \`using\` declarations. Where a variable is needed by the ` +
      `next statement alone, write \`const x = …; using _x = x;\`. All of them:\n${had.join("\n")}`,
  );
}

/** The text of every variable that a module declares by `using`. */
function declarations(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (isDeclaration(value) && value.kind.endsWith("using")) {
      found.push(...value.declarations.map(({ start, end }) => text.slice(start, end)));
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(parse(text, { ecmaVersion: "latest", sourceType: "module" }));
  return found;
}

function isDeclaration(value: object): value is VariableDeclaration {
  return "type" in value && value.type === "VariableDeclaration";
}
