import assert from "node:assert/strict";
import fc from "fast-check";
import { bashCommands } from "../src/agents/bash_commands.ts";
import { mayFitPattern } from "../src/agents/wildcard.ts";
import { fuzz } from "./support/fuzz.ts";

/**
 * Lines whose only commands are `a`, `b` and `c`: functions that write down that they ran. There is no PATH, so that
 * nothing else can run, and no `/`, `~` or `..`, so that no file is written but in the test's own folder.
 */
const made = fc.letrec<{ word: string; simple: string; line: string }>((tie) => {
  const joined = (...parts: (string | fc.Arbitrary<string>)[]) =>
    fc.tuple(...parts.map((part) => typeof part === "string" ? fc.constant(part) : part)).map((texts) =>
      texts.join("")
    );
  const { word, simple, line } = { word: tie("word"), simple: tie("simple"), line: tie("line") };
  const name = fc.constantFrom("a", "b", "c", "'a'", '"b"', "\\c", "$x a", "${x:-b}", "a'x y'");
  const gap = fc.constantFrom(" ", "  ", "\t", " \\\n");
  const operator = fc.constantFrom(";", " && ", " || ", "|", "&", "\n", " ; ", " # x '\n");
  return {
    word: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(
        "x",
        "'x y'",
        '"x y"',
        "x\\ y",
        "$x",
        '"${x}"',
        "${x:-b}",
        "${y:=c}",
        "{a,b}",
        "[b]",
        "#",
        "$'x'",
        "''",
      ),
      joined("$(", line, ")"),
      joined('"$(', line, ')"'),
      joined('"x ', word, '"'),
      joined("`", simple, "`"),
      joined("${z:-", word, "}"),
      joined("$((1+$(", line, ")))"),
      joined("<(", line, ")"),
      joined(word, word),
    ),
    simple: fc.oneof(
      { depthSize: "small" },
      name,
      joined(name, gap, word),
      joined(name, gap, word, gap, word),
      joined("x=", word, gap, name),
      joined(simple, gap, fc.constantFrom(">", ">>", "2>", "&>", "<", "<<<"), word),
      joined("2>&1 ", simple),
    ),
    line: fc.oneof(
      { depthSize: "small" },
      simple,
      simple,
      joined(line, operator, line),
      joined(line, operator, line),
      joined("(", line, ")"),
      joined("{ ", line, "; }"),
      joined("! ", simple),
      joined("if ", line, "; then ", line, "; else ", line, "; fi"),
      joined("while ", simple, "; do ", line, "; done"),
      joined("for x in ", word, "; do ", line, "; done"),
      joined("case x in x) ", line, ";; esac"),
      joined("[[ x ]] && ", simple),
      joined(simple, " <<E", fc.constantFrom("", " | c"), "\n", word, "\nE\n", simple),
      joined(simple, " <<'E'\n", word, "\nE\n", simple),
      joined(simple, " <<-E\n\t", word, "\n\tE\n", simple),
    ),
  };
}).line;

/** What else may stand anywhere in a line. */
const noise = fc.constantFrom(
  ...[
    "a",
    " b",
    "x",
    "=",
    "$",
    "'",
    '"',
    "`",
    "\\",
    "\\\n",
    "\n",
    ";",
    "|",
    "&",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "#",
    "!",
    " ",
  ],
  ...["$(", "$((", "))", "${", "<<E", "\nE\n", "[", "]]", ",", "done", "time "],
);

const line = fc.oneof(
  made,
  fc.tuple(made, fc.array(fc.tuple(fc.nat(), noise), { maxLength: 2 })).map(([text, insertions]) =>
    insertions.reduce((text, [at, piece]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place);
    }, text)
  ),
  // A function could call itself.
).filter((text) => text.length < 400 && !/\(\s*\)/.test(text.replaceAll("\\\n", "")));

/** Each of them ends the shell after 30 calls, `a` is true and `b` and `c` are false, so that loops end. */
const FUNCTIONS = `
PATH=
ulimit -t 2
n=0
note() {
  local text=$1 word
  shift
  for word in "$@"; do
    word="\${word//[[:space:]]/$'\\u00a0'}"
    text+=" \${word:-''}"
  done
  printf '%s\\0' "$text" >>calls.log
  n=$((n + 1))
  [[ $n -lt 30 ]] || exit
}
a() { note a "$@"; }
b() { note b "$@"; return 1; }
c() { note c "$@"; return 1; }
`;

/** The commands that bash runs for a line. Each line has a folder: what the line before left running may still write. */
async function run(parent: string, text: string): Promise<string[]> {
  const folder = await Deno.makeTempDir({ dir: parent });
  await Deno.writeTextFile(`${folder}/calls.log`, "");
  const child = new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-c", `${FUNCTIONS}\n${text}\n`],
    cwd: folder,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", LC_ALL: "C.UTF-8" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
    signal: AbortSignal.timeout(5_000),
  }).spawn();
  await child.status;
  const calls = (await Deno.readTextFile(`${folder}/calls.log`)).split("\0");
  return calls.slice(0, -1);
}

Deno.test("bashCommands foresees every command that bash runs", async () => {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-bash-" });
  let ran = 0;
  let read = 0;
  try {
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const parts = bashCommands(text);
        const calls = await run(folder, text);
        ran += calls.length;
        if (parts.every(({ text: part }) => part !== text.trim())) read += calls.length;
        for (const call of calls) {
          const foreseen = parts.some(({ forms, maybe }) =>
            [...forms, ...maybe].some((form) => mayFitPattern(form, call))
          );
          assert.ok(foreseen, `bash ran ${JSON.stringify(call)}, not among ${JSON.stringify(parts)}`);
        }
      }),
      fuzz(250),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  // Lines of which nothing runs would prove nothing, and so would those that are never read to their end.
  assert.ok(ran > 300 && read > 100, `${ran} commands ran, ${read} of lines that were read`);
});
