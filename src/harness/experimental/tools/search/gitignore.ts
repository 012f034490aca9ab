import { compileGlob } from "./glob_pattern.ts";

/** One rule of a `.gitignore`. */
interface Rule {
  fits: RegExp;
  /** Only folders are meant. */
  folders: boolean;
  /** What it fits is not ignored after all. */
  negated: boolean;
}

/** The rules of one `.gitignore` file. */
export class Gitignore {
  readonly #rules: readonly Rule[];

  /** @param text The file's text. */
  constructor(text: string) {
    this.#rules = text.replace(/^\uFEFF/, "").split(/\r?\n/).flatMap(ruleOf);
  }

  /**
   * Whether a path is ignored; `undefined` when no rule is about it and the folders above decide.
   *
   * @param path Relative to the folder of the file, without a leading slash.
   */
  decides(path: string, isFolder: boolean): boolean | undefined {
    for (let at = this.#rules.length - 1; at >= 0; at--) {
      const { fits, folders, negated } = this.#rules[at]!;
      if ((!folders || isFolder) && fits.test(path)) return !negated;
    }
    return undefined;
  }
}

function ruleOf(line: string): Rule[] {
  if (line.startsWith("#")) return [];
  // Blanks at the end don't count, unless the last of them is escaped.
  let pattern = line.replace(/(\\.|[^\\ \t])[ \t]+$/, "$1").replace(/^[ \t]+$/, "");
  const negated = pattern.startsWith("!");
  if (negated) pattern = pattern.slice(1);
  const folders = pattern.endsWith("/");
  if (folders) pattern = pattern.slice(0, -1);
  if (pattern === "") return [];
  // Git: a backslash at the very end makes a pattern that fits nothing.
  if (/(?<!\\)(?:\\\\)*\\$/.test(pattern)) return [];
  return [{ fits: compileGlob(pattern, { braces: false }), folders, negated }];
}
