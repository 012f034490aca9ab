/** Options of {@link compileGlob}. */
export interface GlobOptions {
  /** Whether `{a,b}` means either; `.gitignore` has no such thing. */
  braces: boolean;
}

/**
 * A pattern as `.gitignore` and ripgrep's `--glob` write it, as a regular expression for paths relative to the folder it
 * holds for, without a leading slash.
 *
 * Without a slash (but for a final one, which the caller takes off) it fits a name at any depth, else the path from that
 * folder on. `*` and `?` fit no slash, `**` between slashes any number of folders.
 */
export function compileGlob(pattern: string, { braces }: GlobOptions): RegExp {
  const anchored = pattern.includes("/");
  const body = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  const source = new Translation(body, braces).source();
  // Without the u flag, so that V8's engine without backtracking can take over (see run_search.ts).
  return new RegExp(`^${anchored ? "" : "(?:.*/)?"}${source}$`, "s");
}

class Translation {
  readonly #text: string;
  readonly #braces: boolean;
  #at = 0;
  /** How many braces are open. */
  #depth = 0;

  constructor(text: string, braces: boolean) {
    this.#text = text;
    this.#braces = braces && balanced(text);
  }

  source(): string {
    let source = "";
    while (this.#at < this.#text.length) source += this.#next();
    return source;
  }

  #next(): string {
    const char = this.#text[this.#at]!;
    if (char === "*") return this.#stars();
    this.#at++;
    if (char === "?") return "[^/]";
    if (char === "[") return this.#bracket();
    if (char === "\\" && this.#at < this.#text.length) return literal(this.#text[this.#at++]!);
    if (this.#braces && char === "{") {
      this.#depth++;
      return "(?:";
    }
    if (this.#depth > 0 && char === "}") {
      this.#depth--;
      return ")";
    }
    if (this.#depth > 0 && char === ",") return "|";
    return literal(char);
  }

  #stars(): string {
    const start = this.#at;
    while (this.#text[this.#at] === "*") this.#at++;
    const between = start === 0 || this.#text[start - 1] === "/";
    if (this.#at - start === 2 && between) {
      if (this.#text[this.#at] === "/") {
        this.#at++;
        return "(?:[^/]+/)*";
      }
      if (this.#at === this.#text.length) return start === 0 ? ".*" : ".+";
    }
    return "[^/]*";
  }

  #bracket(): string {
    let end = this.#at;
    if (this.#text[end] === "!" || this.#text[end] === "^") end++;
    if (this.#text[end] === "]") end++;
    while (end < this.#text.length && this.#text[end] !== "]") {
      const named = CLASS_AT.exec(this.#text.slice(end, end + 16));
      end += named === null ? this.#text[end] === "\\" ? 2 : 1 : named[0].length;
    }
    // One that is never closed fits nothing, as in git.
    if (end >= this.#text.length) {
      this.#at = end;
      return "(?!)";
    }
    const negated = /[!^]/.test(this.#text[this.#at] ?? "");
    const inner = this.#text.slice(this.#at + (negated ? 1 : 0), end);
    this.#at = end + 1;
    const set = inner.replace(/\[:(\w+):\]/g, (whole, name: string) => CLASSES[name] ?? whole)
      .replace(/\\(.)|([\]\[^&~])/g, (_, escaped?: string, special?: string) => {
        return escaped === undefined ? `\\${special}` : /\w/.test(escaped) ? escaped : `\\${escaped}`;
      });
    return validSet(`(?!/)[${negated ? "^" : ""}${set}]`);
  }
}

/** A named class within a bracket. */
const CLASS_AT = /^\[:\w+:\]/;

const CLASSES: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: " \t\n\r\f\v",
  xdigit: "0-9a-fA-F",
};

/** The set, or what fits nothing: a range that runs backwards (`[z-a]`) is no error in a pattern. */
function validSet(source: string): string {
  try {
    new RegExp(source);
    return source;
  } catch {
    return "(?!)";
  }
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

/** Whether every brace has its partner; else they are characters like any other. */
function balanced(text: string): boolean {
  let depth = 0;
  for (const [char] of text.matchAll(/\\.|[{}]/gs)) {
    if (char === "{") depth++;
    else if (char === "}" && --depth < 0) return false;
  }
  return depth === 0;
}
