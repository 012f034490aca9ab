import type { Command, Pipeline, Redirect, ScriptList, Word, WordPart } from "./ast.ts";
import { MARK } from "./script.ts";

/** Longest script, in UTF-16 units, and the most levels of `$( )` and `( )`. */
const LONGEST_SCRIPT = 1024 * 1024;
const MOST_NESTED = 64;

/** Words that start something this shell does not run, where a command is expected. */
const REFUSED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "if",
      "then",
      "elif",
      "else",
      "fi",
      "for",
      "while",
      "until",
      "do",
      "done",
      "case",
      "esac",
      "select",
      "function",
    ]
      .map((word) => [word, "use JavaScript around the commands"]),
  ),
  "{": "use ( )",
  "}": "use ( )",
  "!": "use || and &&",
  "[[": "use test",
};

const OPERATORS = /^(?:&&|\|\||\|&|;;|&>>|&>|<<<|<<|[;&|()\n<>])/;
const REDIRECT = /^([012]?)(>>|>|<)/;

/**
 * Parses a script: simple commands with assignments and redirections, pipelines, `&&`, `||`, `;`, lines, `( )`,
 * quotes, `$name`, `$(…)` and comments.
 *
 * @throws {Error} for anything else, naming it.
 */
export function parseScript(text: string): ScriptList {
  if (text.length > LONGEST_SCRIPT) {
    throw new Error(`Bun.$: a script may have ${LONGEST_SCRIPT} characters at most`);
  }
  const parser = new Parser(text);
  const list = parser.list("");
  parser.expectEnd();
  return list;
}

class Parser {
  #at = 0;
  #nested = 0;

  constructor(readonly text: string) {}

  /** Pipelines up to `close` (`)` or the end). */
  list(close: "" | ")"): ScriptList {
    if (++this.#nested > MOST_NESTED) {
      throw new Error(`Bun.$: more than ${MOST_NESTED} levels of ( ) are not supported`);
    }
    const list: ScriptList = [];
    let when: ScriptList[number]["when"] = "always";
    for (;;) {
      this.#blanks(when === "always" ? /[\s;]/ : /\s/);
      if (this.#peek() === "" || (close !== "" && this.#peek() === close)) break;
      list.push({ when, pipeline: this.#pipeline() });
      const operator = this.#operator();
      when = operator === "&&" ? "success" : operator === "||" ? "failure" : "always";
      if (operator === "&") throw new Error('Background commands "&" are not supported yet.');
      if (!["", ";", "\n", "&&", "||", ")"].includes(operator)) throw unexpected(operator);
      if (operator !== "" && operator !== ")") this.#at += operator.length;
      else break;
    }
    if (when !== "always") throw new Error("expected a command or assignment");
    this.#nested--;
    return list;
  }

  expectEnd(): void {
    if (this.#peek() !== "") throw unexpected(this.#peek());
  }

  #pipeline(): Pipeline {
    const commands = [this.#command()];
    while (this.#operator() === "|") {
      this.#at++;
      this.#blanks(/\s/);
      if (this.#peek() === "") throw new Error("Unexpected EOF");
      commands.push(this.#command());
    }
    if (this.#operator() === "|&") {
      throw new Error("Piping stdout and stderr (`|&`) is not supported yet: use 2>&1 |");
    }
    return commands;
  }

  #command(): Command {
    this.#blanks(/[ \t]/);
    const redirects: Redirect[] = [];
    if (this.#peek() === "(") {
      this.#at++;
      const script = this.list(")");
      this.#close();
      while (this.#redirect(redirects));
      return { kind: "subshell", script, redirects };
    }
    const command: Command = { kind: "simple", assignments: [], words: [], redirects };
    for (;;) {
      this.#blanks(/[ \t]/);
      if (this.#redirect(redirects)) continue;
      if (this.#operator() !== "" || this.#peek() === "") break;
      const start = this.#at;
      const word = this.#word();
      const assignment = command.words.length === 0 ? assignmentOf(word) : undefined;
      if (assignment !== undefined) command.assignments.push(assignment);
      else command.words.push(word);
      if (command.words.length === 1 && assignment === undefined) {
        refuseKeyword(this.text.slice(start, this.#at));
      }
    }
    if (command.assignments.length + command.words.length + redirects.length === 0) {
      throw unexpected(this.#operator());
    }
    if (this.#peek() === "(") throw new Error("Unexpected token: `(`");
    return command;
  }

  /** Reads one redirection, if one stands here. */
  #redirect(into: Redirect[]): boolean {
    this.#blanks(/[ \t]/);
    const rest = this.text.slice(this.#at, this.#at + 4);
    if (/^[012]?<</.test(rest)) {
      throw new Error("Here-documents (`<<`) are not supported: use < ${new Response(text)}");
    }
    const both = /^&>>?/.exec(rest)?.[0];
    const one = REDIRECT.exec(rest);
    const operator = both ?? one?.[0];
    if (operator === undefined) return false;
    this.#at += operator.length;
    const from = both !== undefined
      ? "both"
      : one![1] === ""
      ? (one![2] === "<" ? 0 : 1)
      : Number(one![1]) as 0 | 1 | 2;
    const copied = /^&([12])(?![^\s;&|()<>])/.exec(this.text.slice(this.#at, this.#at + 3))?.[1];
    if (copied !== undefined && from !== "both" && from !== 0) {
      this.#at += 2;
      into.push({ from, append: false, to: Number(copied) as 1 | 2 });
      return true;
    }
    this.#blanks(/[ \t]/);
    if (this.#operator() !== "" || this.#peek() === "") throw new Error("Redirection with no file");
    into.push({ from, append: operator.endsWith(">>"), to: this.#word() });
    return true;
  }

  #word(): Word {
    const parts: WordPart[] = [];
    while (this.#peek() !== "" && !/\s/.test(this.#peek()) && this.#operator() === "") {
      const char = this.#take();
      if (char === "'") {
        for (const part of this.#until("'", () => undefined)) parts.push(part);
      } else if (char === '"') {
        for (const part of this.#until('"', (next) => this.#special(next, true))) parts.push(part);
      } else {
        const special = this.#special(char, false);
        if (special !== undefined) parts.push(...special);
        else append(parts, char, false);
      }
    }
    return parts;
  }

  /** Parts up to a closing quote; all of them are quoted. */
  #until(quote: string, special: (char: string) => WordPart[] | undefined): WordPart[] {
    const start = this.#at;
    const parts: WordPart[] = [{ kind: "text", text: "", quoted: true }];
    for (;;) {
      if (this.#peek() === "") {
        throw new Error(
          `Bun.$: the ${quote} before ${JSON.stringify(this.text.slice(start, start + 20))} is not closed`,
        );
      }
      const char = this.#take();
      if (char === quote) return parts;
      const found = char === MARK ? this.#value() : special(char);
      if (found !== undefined) parts.push(...found);
      else append(parts, char, true);
    }
  }

  /** What `char` stands for when it is not itself: an escape, a variable, a command, a value. */
  #special(char: string, quoted: boolean): WordPart[] | undefined {
    if (char === MARK) return this.#value();
    if (char === "\\") {
      const next = this.#peek();
      if (next === "\n") {
        this.#at++;
        return [];
      }
      if (quoted && !'"$`\\'.includes(next)) return undefined;
      this.#at += next.length;
      return [{ kind: "text", text: next, quoted: true }];
    }
    if (char === "`") throw new Error("Backtick command substitution is not supported: use $(…)");
    if (char !== "$") return undefined;
    if (this.text.startsWith("((", this.#at)) {
      throw new Error("Arithmetic expansion $(( )) is not supported: use ${ }");
    }
    if (this.#peek() === "(") {
      this.#at++;
      const script = this.list(")");
      this.#close();
      return [{ kind: "command", script, quoted }];
    }
    const name = /^(?:[A-Za-z_]\w*|\d)/.exec(this.text.slice(this.#at, this.#at + 256))?.[0];
    if (name === undefined) return undefined;
    this.#at += name.length;
    return [{ kind: "variable", name }];
  }

  /** The value whose opening mark was taken. */
  #value(): WordPart[] {
    const end = this.text.indexOf(MARK, this.#at);
    const index = Number(this.text.slice(this.#at, end));
    this.#at = end + 1;
    return [{ kind: "value", index }];
  }

  #close(): void {
    if (this.#peek() !== ")") throw new Error("Unclosed command substitution or subshell: a `)` is missing");
    this.#at++;
  }

  /** The operator that stands here, or the empty string; `2>` is none, it belongs to a redirection. */
  #operator(): string {
    this.#comment();
    return OPERATORS.exec(this.text.slice(this.#at, this.#at + 3))?.[0] ?? "";
  }

  #blanks(which: RegExp): void {
    for (;;) {
      this.#comment();
      if (this.#peek() === "" || !which.test(this.#peek())) {
        if (!this.text.startsWith("\\\n", this.#at)) return;
        this.#at++;
      }
      this.#at++;
    }
  }

  /** Skips a comment: `#` where a word would start. */
  #comment(): void {
    if (this.#peek() !== "#" || !/[\s;&|()]|^$/.test(this.text[this.#at - 1] ?? "")) return;
    while (this.#peek() !== "" && this.#peek() !== "\n") this.#at++;
  }

  #peek(): string {
    return this.text[this.#at] ?? "";
  }

  #take(): string {
    return this.text[this.#at++] ?? "";
  }
}

/** Adds a character to the last part when that is text of the same kind. */
function append(parts: WordPart[], char: string, quoted: boolean): void {
  const last = parts.at(-1);
  if (last?.kind === "text" && last.quoted === quoted) last.text += char;
  else parts.push({ kind: "text", text: char, quoted });
}

/** `name=value` at the start of a command. */
function assignmentOf(word: Word): { name: string; value: Word } | undefined {
  const [first, ...rest] = word;
  if (first?.kind !== "text" || first.quoted) return undefined;
  const match = /^([A-Za-z_]\w*)=([^]*)$/.exec(first.text);
  if (match === null) return undefined;
  return { name: match[1]!, value: match[2] === "" ? rest : [{ ...first, text: match[2]! }, ...rest] };
}

function refuseKeyword(source: string): void {
  if (Object.hasOwn(REFUSED, source)) {
    throw new Error(`Bun.$ does not run \`${source}\` in this runtime: ${REFUSED[source]}`);
  }
}

function unexpected(token: string): Error {
  return new Error(
    `expected a command or assignment but got: ${token === "" ? "the end" : JSON.stringify(token)}`,
  );
}
