import { BashReader, UnreadableBash } from "./bash_reader.ts";
import type { Subject } from "./subject.ts";
import { UNKNOWN } from "./wildcard.ts";

/**
 * The simple commands of a line for bash, also those in `$( )`, backticks, `( )`, `<( )` and here-documents.
 *
 * Patterns see the words of a command without quotes and with one space between them, so that `'r'm  -f x` is
 * `rm -f x`; a space that was quoted fits no space. Parts of their own are, because they do something whatever the
 * command is: a variable that is set (`A=1 git log` is `A=1` and `git log`), a file that is written (`> out.txt`), the
 * head of a `for`. What can't be read for certain, such as `case`, a function or an open quote, is one more part that
 * may be any command. Nothing of this runs anything or looks at a file.
 */
export function bashCommands(line: string): Subject[] {
  const parts: Subject[] = [];
  try {
    new BashReader(line, parts).readAll();
  } catch (error) {
    if (!(error instanceof UnreadableBash)) throw error;
    parts.push({ text: line.trim(), forms: [UNKNOWN], maybe: [UNKNOWN] });
  }
  return parts;
}
