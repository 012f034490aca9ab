import { bashPart, BashWord } from "./bash_word.ts";
import type { Subject } from "./subject.ts";
import { UNKNOWN } from "./wildcard.ts";

/** The line has something that this reader does not follow for certain. */
export class UnreadableBash extends Error {}

/** Words after which a command begins. */
const OPENERS = ["if", "then", "elif", "else", "while", "until", "do", "!", "{"];
/** Words that end a compound command; only redirections may follow. */
const CLOSERS = ["fi", "done", "}"];
/** Words whose grammar is not followed here. */
const UNFOLLOWED = ["case", "esac", "select", "function", "coproc"];
/** Files that may be written without a rule. */
const HARMLESS_TARGETS = ["/dev/null", "/dev/stdout", "/dev/stderr"];
const MAX_DEPTH = 40;

interface HereDocument {
  end: string;
  /** Whether tabs before its lines and its end are dropped. */
  tabs: boolean;
  /** Whether nothing in it is expanded. */
  quoted: boolean;
}

/**
 * Reads a line for bash, one character after the other, as bash's own reader does (POSIX 2.10 and the bash manual, 3.1
 * to 3.5), and collects its parts. Where bash and a plain `sh` would read differently, it gives up.
 *
 * @throws {UnreadableBash} From `readAll`, when it can't go on for certain; `parts` has what was found before.
 */
export class BashReader {
  #text: string;
  #at = 0;
  #depth: number;
  #hereDocuments: HereDocument[] = [];
  /** How many `$( )` and `<( )` are open, and whether one of them has had a here-document. */
  #substitutions = 0;
  #substitutedDocument = false;

  /** @param parts Where to add what is found. */
  constructor(text: string, readonly parts: Subject[], depth = 0) {
    if (depth > MAX_DEPTH || text.includes("\0")) throw new UnreadableBash();
    this.#text = text;
    this.#depth = depth;
  }

  /** Reads all of the text as a list of commands. */
  readAll(): void {
    this.#readList(false);
  }

  /** Reads all of the text as what stands between double quotes; a quote itself is nothing special. */
  readExpansions(): void {
    const ignored = new BashWord();
    while (this.#at < this.#text.length) this.#readQuotedPiece(ignored);
  }

  #peek(offset = 0): string {
    return this.#text[this.#at + offset] ?? "";
  }

  #starts(text: string): boolean {
    return this.#text.startsWith(text, this.#at);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  /** Commands up to the end, or to the `)` that closes them. */
  #readList(closed: boolean): void {
    for (;;) {
      this.#skipBlanks();
      const char = this.#peek();
      if (char === "") {
        if (closed) throw new UnreadableBash();
        return;
      }
      if (char === ")") {
        if (!closed || this.#hereDocuments.length > 0) throw new UnreadableBash();
        this.#at++;
        return;
      }
      if (char === "\n") this.#readNewline();
      else if (char === ";" || char === "|" || (char === "&" && this.#peek(1) !== ">")) this.#at++;
      else {
        // Bash 5.2 puts the text of a substitution together anew, and joins what follows a here-document wrongly.
        if (this.#substitutedDocument) throw new UnreadableBash();
        this.#readCommand();
      }
    }
  }

  /** Commands in parentheses; the opening one is read. Each level has its own here-documents. */
  #readNested(): void {
    if (++this.#depth > MAX_DEPTH || this.#hereDocuments.length > 0) throw new UnreadableBash();
    this.#readList(true);
    this.#depth--;
  }

  #skipBlanks(): void {
    this.#match(/(?:[ \t]|\\\n)*/y);
  }

  #readCommand(): void {
    const words: BashWord[] = [];
    const assignments: BashWord[] = [];
    /** Nothing of the command is read yet, so that a reserved word may stand here. */
    let fresh = true;
    let compound = false;
    for (;;) {
      this.#skipBlanks();
      if (this.#peek() === "#") this.#match(/[^\n]*/y);
      if (this.#atCommandEnd()) break;
      if (this.#readRedirection()) {
        fresh = false;
        continue;
      }
      if (this.#peek() === "(") {
        if (!fresh || this.#peek(1) === "(") throw new UnreadableBash();
        this.#at++;
        this.#readNested();
        fresh = false;
        compound = true;
        continue;
      }
      const word = this.#readWord();
      if (/[<>]/.test(this.#peek())) {
        // `2>x` names a descriptor; `{name}>x` sets a variable to one.
        if (/^[0-9]+$/.test(word.raw)) continue;
        if (/^\{.*\}$/s.test(word.raw)) throw new UnreadableBash();
      }
      if (compound) throw new UnreadableBash();
      if (fresh) {
        if (OPENERS.includes(word.raw)) continue;
        if (word.raw === "time") {
          this.#match(/[ \t]+-p(?=[ \t])/y);
          continue;
        }
        if (UNFOLLOWED.includes(word.raw)) throw new UnreadableBash();
        fresh = false;
        if (CLOSERS.includes(word.raw)) {
          compound = true;
          continue;
        }
        if (word.raw === "for") return this.#readForHead(word);
        if (word.raw === "[[") return this.#readCondition(word);
      }
      if (words.length > 0) words.push(word);
      else if (/^[A-Za-z_]\w*\+?=/.test(word.raw)) assignments.push(word);
      else if (/^[A-Za-z_]\w*\[/.test(word.raw)) throw new UnreadableBash();
      else words.push(word);
    }
    for (const word of assignments) this.parts.push(bashPart([word]));
    if (words.length > 0) this.parts.push(bashPart(words));
  }

  #atCommandEnd(): boolean {
    const char = this.#peek();
    return char === "" || "\n;|)".includes(char) || (char === "&" && this.#peek(1) !== ">");
  }

  /** `for NAME in words`: it sets a variable. */
  #readForHead(first: BashWord): void {
    this.#skipBlanks();
    const name = this.#readWord();
    if (!/^[A-Za-z_]\w*$/.test(name.raw)) throw new UnreadableBash();
    const words = [first, name];
    this.#skipBlanks();
    if (this.#match(/in(?=[ \t\n;]|\\\n)/y)) {
      words.push(knownWord("in"));
      for (this.#skipBlanks(); !this.#atCommandEnd(); this.#skipBlanks()) words.push(this.#readWord());
    }
    this.parts.push(bashPart(words));
  }

  /** `[[ … ]]` of words alone; with operators in it a plain `sh` would run what follows them. */
  #readCondition(first: BashWord): void {
    const words = [first];
    for (this.#skipBlanks(); !this.#atCommandEnd(); this.#skipBlanks()) {
      const word = this.#readWord();
      words.push(word);
      if (word.raw !== "]]") continue;
      this.parts.push(bashPart(words));
      return;
    }
    throw new UnreadableBash();
  }

  /** A redirection, if one stands here. A file that is written is a part of its own. */
  #readRedirection(): boolean {
    if (/[<>]/.test(this.#peek()) && this.#peek(1) === "(") return false;
    const operator = this.#match(/&>>?|>>|>\||>&|>|<<<|<<-?|<&|<>|</y)?.[0];
    if (operator === undefined) return false;
    this.#skipBlanks();
    const target = this.#readWord();
    if (operator === "<<" || operator === "<<-") {
      if (/[$`\n]/.test(target.raw)) throw new UnreadableBash();
      const quoted = /['"\\]/.test(target.raw);
      this.#hereDocuments.push({ end: unquote(target.raw), tabs: operator === "<<-", quoted });
    } else if (operator === "<<<" || (operator.endsWith("&") && /^(?:[0-9]+-?|-)$/.test(target.raw))) {
      // A text, or a descriptor that is open already.
    } else if (operator.includes(">")) {
      if (!HARMLESS_TARGETS.includes(target.exact)) this.parts.push(bashPart([knownWord(">"), target]));
    } else if (target.loose.includes(UNKNOWN) || /^\/dev\/(?:tcp|udp)\//.test(target.exact)) {
      // Bash opens a connection for such a name.
      this.parts.push(bashPart([knownWord("<"), target]));
    }
    return true;
  }

  /** The end of a line: the here-documents that began on it follow. */
  #readNewline(): void {
    this.#at++;
    for (const { end, tabs, quoted } of this.#hereDocuments.splice(0)) {
      if (this.#substitutions > 0) this.#substitutedDocument = true;
      const body: string[] = [];
      while (this.#at < this.#text.length) {
        const line = this.#readHereLine(quoted);
        if ((tabs ? line.replace(/^\t+/, "") : line) === end) break;
        body.push(line);
      }
      if (!quoted) new BashReader(body.join("\n"), this.parts, this.#depth + 1).readExpansions();
    }
  }

  /** A line of a here-document; where it is expanded, a final backslash joins the next one to it. */
  #readHereLine(quoted: boolean): string {
    for (let line = "";;) {
      line += this.#match(/[^\n]*/y)?.[0] ?? "";
      const ended = this.#at >= this.#text.length;
      this.#at++;
      const backslashes = /\\*$/.exec(line)?.[0].length ?? 0;
      if (quoted || ended || backslashes % 2 === 0) return line;
      line = line.slice(0, -1);
    }
  }

  #readWord(): BashWord {
    const word = new BashWord();
    const start = this.#at;
    for (;;) {
      const char = this.#peek();
      if (char === "" || " \t\n;&|)".includes(char)) break;
      if (char === "<" || char === ">") {
        if (this.#peek(1) !== "(") break;
        this.#unknown(word, () => this.#readSubstitution(2));
      } else if (char === "(") throw new UnreadableBash();
      else if (char === "'") this.#readSingleQuotes(word);
      else if (char === '"') this.#readDoubleQuotes(word);
      else if (char === "\\") {
        const next = this.#peek(1);
        if (next === "" || next === "\n") throw new UnreadableBash();
        this.#at += 2;
        word.add(next, `\\${next}`);
      } else if (char === "$" || char === "`") this.#readExpansion(word, false);
      else if ("*?".includes(char)) this.#unknown(word, () => this.#at++);
      else if (char === "~" && (word.raw === "" || /[=:]$/.test(word.raw))) {
        this.#at++;
        word.addUnknown("~", "~");
      } else {
        if (char === "{") word.braces = true;
        if (char === "[") word.brackets = true;
        this.#at++;
        word.add(char);
      }
    }
    if (this.#at === start) throw new UnreadableBash();
    // Whether a here-document would begin in the midst of such a word is not followed.
    if (this.#hereDocuments.length > 0 && word.raw.includes("\n")) throw new UnreadableBash();
    return word.finish();
  }

  /** Adds to the word, as unknown, what `read` reads. */
  #unknown(word: BashWord, read: () => void): void {
    const start = this.#at;
    read();
    word.addUnknown(this.#text.slice(start, this.#at));
  }

  #readSingleQuotes(word: BashWord): void {
    const found = this.#match(/'([^']*)'/y);
    if (found === undefined) throw new UnreadableBash();
    word.add(found[1] ?? "", found[0]);
  }

  #readDoubleQuotes(word: BashWord): void {
    this.#at++;
    word.add("", '"');
    while (this.#peek() !== '"') {
      if (this.#peek() === "") throw new UnreadableBash();
      this.#readQuotedPiece(word);
    }
    this.#at++;
    word.add("", '"');
  }

  /** One character or expansion between double quotes. */
  #readQuotedPiece(word: BashWord): void {
    const char = this.#peek();
    if (char === "$" || char === "`") return this.#readExpansion(word, true);
    const escaped = char === "\\" ? this.#peek(1) : "";
    if (escaped !== "" && '$`"\\\n'.includes(escaped)) {
      this.#at += 2;
      word.add(escaped === "\n" ? "" : escaped, `\\${escaped}`);
    } else {
      this.#at++;
      word.add(char);
    }
  }

  #readExpansion(word: BashWord, quoted: boolean): void {
    const next = this.#peek(1);
    if (this.#peek() === "`") this.#unknown(word, () => this.#readBackticks(quoted));
    else if (this.#starts("$((")) this.#unknown(word, () => this.#readArithmetic());
    else if (next === "(") this.#unknown(word, () => this.#readSubstitution(2));
    else if (next === "{") this.#unknown(word, () => this.#readParameter(quoted));
    else if (next === "[" || this.#starts("$\\\n")) throw new UnreadableBash();
    else if (!quoted && next === "'") {
      // A plain `sh` ends at a quote that bash takes for an escaped one.
      this.#unknown(word, () => {
        const found = this.#match(/\$'[^']*'/y);
        if (found === undefined || found[0].endsWith("\\'")) throw new UnreadableBash();
      });
    } else if (!quoted && next === '"') {
      this.#at++;
      word.add("", "$");
    } else if (/[A-Za-z0-9_@*#?$!-]/.test(next)) {
      this.#unknown(word, () => this.#match(/\$(?:[A-Za-z_]\w*|.)/y));
      // Joined to the next line the name is another one.
      if (this.#starts("\\\n")) throw new UnreadableBash();
    } else {
      this.#at++;
      word.add("$");
    }
  }

  #readSubstitution(opening: number): void {
    this.#at += opening;
    this.#substitutions++;
    this.#readNested();
    if (--this.#substitutions === 0) this.#substitutedDocument = false;
  }

  #readBackticks(quoted: boolean): void {
    const found = this.#match(/`((?:[^`\\]|\\[^])*)`/y);
    // Bash joins lines in it, even in single quotes.
    const joined = found?.[0].includes("\\\n");
    if (found === undefined || joined || this.#hereDocuments.length > 0) throw new UnreadableBash();
    const inner = (found[1] ?? "").replace(quoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
    new BashReader(inner, this.parts, this.#depth + 1).readAll();
  }

  /** `$(( … ))` of numbers, names and operators; brackets and quotes in it may run commands. */
  #readArithmetic(): void {
    this.#at += 3;
    for (let depth = 0;;) {
      this.#match(/[\w\s+\-*/%<>=!&|^~?:,.]*/y);
      const char = this.#peek();
      if (char === "$") this.#readExpansion(new BashWord(), true);
      else if (char === "(" || (char === ")" && depth > 0)) {
        depth += char === "(" ? 1 : -1;
        this.#at++;
      } else if (this.#starts("))")) {
        this.#at += 2;
        return;
      } else throw new UnreadableBash();
    }
  }

  /** `${name}`, and the forms with a word: `${name:-word}`, `${name%word}`, `${name/word}`. */
  #readParameter(quoted: boolean): void {
    const found = this.#match(
      /\$\{(#?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:(:?[-=?+]|##?|%%?|\/\/?|\^\^?|,,?)|(?=\}))/y,
    );
    if (found === undefined) {
      if (this.#match(/\$\{[A-Za-z_]\w*:[0-9]+(?::[0-9]+)?\}/y)) return;
      throw new UnreadableBash();
    }
    const [, length = "", name = "", operator = ""] = found;
    if (length !== "" && operator !== "") throw new UnreadableBash();
    const word = new BashWord();
    if (operator.endsWith("=")) word.add(`${name}=`);
    while (this.#peek() !== "}") {
      const char = this.#peek();
      if (char === "" || (quoted && (char === "'" || char === '"'))) throw new UnreadableBash();
      if (char === "'") this.#readSingleQuotes(word);
      else if (char === '"') this.#readDoubleQuotes(word);
      else if (!quoted && /[<>]/.test(char) && this.#peek(1) === "(") {
        this.#unknown(word, () => this.#readSubstitution(2));
      } else if (char === "\\") {
        const next = this.#peek(1);
        this.#at += 2;
        word.add(next, `\\${next}`);
      } else if (char === "$" || char === "`") this.#readExpansion(word, quoted);
      else {
        this.#at++;
        word.add(char);
      }
    }
    this.#at++;
    if (word.raw.includes("\\\n")) throw new UnreadableBash();
    if (operator.endsWith("=")) this.parts.push(bashPart([word.finish()]));
  }
}

function knownWord(text: string): BashWord {
  const word = new BashWord();
  word.add(text);
  return word;
}

/** The end of a here-document without its quotes. */
function unquote(raw: string): string {
  return raw.replace(
    /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g,
    (_, single, double, escaped) => single ?? double?.replace(/\\([$`"\\])/g, "$1") ?? escaped,
  );
}
