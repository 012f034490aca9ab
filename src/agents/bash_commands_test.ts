import assert from "node:assert/strict";
import { bashCommands } from "./bash_commands.ts";
import { UNKNOWN } from "./wildcard.ts";

/** What a line comes to: `?` is what is only known when it runs, `?!` a part that may be any command. */
function parts(line: string): string[] {
  return bashCommands(line).map(({ forms }) =>
    forms[0] === UNKNOWN && forms.length === 1
      ? "?!"
      : (forms[0] ?? "").replaceAll(UNKNOWN, "?").replaceAll("\u00A0", "_")
  );
}

function check(cases: readonly (readonly [line: string, ...parts: string[]])[]): void {
  for (const [line, ...expected] of cases) assert.deepEqual(parts(line), expected, line);
}

Deno.test("bashCommands: every way to put commands together", () => {
  check([
    ["git status", "git status"],
    ["git status; rm -rf x", "git status", "rm -rf x"],
    ["git status;rm -rf x", "git status", "rm -rf x"],
    ["a && b || c | d & e", "a", "b", "c", "d", "e"],
    ["a|&b", "a", "b"],
    ["a\nb\r", "a", "b\r"],
    ["a &\nb", "a", "b"],
    ["a \\\n  b", "a b"],
    ["(a; b) | c", "a", "b", "c"],
    ["( (a) )", "a"],
    ["{ a; b; }", "a", "b"],
    ["! a", "a"],
    ["time -p a; time b", "a", "b"],
    ["if a; then b; elif c; then d; else e; fi", "a", "b", "c", "d", "e"],
    ["while a; do b; done > out.txt", "a", "b", "> out.txt"],
    ["until a; do b; done", "a", "b"],
    ['for f in *.ts; do wc -l "$f"; done', "for f in ?.ts", "wc -l ?"],
    ["for PATH in /tmp/x; do git status; done", "for PATH in /tmp/x", "git status"],
    ["for x; do a; done", "for x", "a"],
    ["[[ -f a ]] && b", "[[ -f a ]]", "b"],
    ["[ -f a ] && b", "[ -f a ]", "b"],
    ["a # b; c", "a"],
    ["a #'\nb", "a", "b"],
    ["# a\nb", "b"],
    ["a#b", "a#b"],
    ["echo if then fi", "echo if then fi"],
    ["'if' a", "if a"],
    ["A=1 if a", "A=1", "if a"],
    ["", ...[]],
    ["  \n ; ", ...[]],
  ]);
});

Deno.test("bashCommands: what stands in expansions", () => {
  check([
    ["git log $(rm x)", "rm x", "git log ?"],
    ["git log `rm x`", "rm x", "git log ?"],
    ['git log "$(rm x)"', "rm x", "git log ?"],
    ['git log "a `rm x` b"', "rm x", "git log a_?_b"],
    ["git log '$(rm x)'", "git log $(rm_x)"],
    ["git log \\$(rm x)", "?!"],
    ["diff <(a) >(b)", "a", "b", "diff ? ?"],
    ["a $(b $(c `d`))", "d", "c ?", "b ?", "a ?"],
    ["a `b \\`c\\``", "c", "b ?", "a ?"],
    ['a "`b \\"c d\\"`"', "b c_d", "a ?"],
    ["a ${x:-$(b)}", "b", "a ?"],
    ['a "${x:-$(b)}"', "b", "a ?"],
    ["a ${x:-<(b)}", "b", "a ?"],
    ["a ${x:=$(b)}", "b", "x=?", "a ?"],
    [": ${PATH:=/tmp/x}", "PATH=/tmp/x", ": ?"],
    ["a ${x%.*} ${#x} ${x//a/b} ${x:1:2} $1 $@ $? ${1}", "a ? ? ? ? ? ? ? ?"],
    ["a $((1 + $(b)))", "b", "a ?"],
    ["a $((1 + (2 * 3)))", "a ?"],
    ["A=$(b) c", "b", "A=?", "c"],
    ["a > $(b)", "b", "> ?", "a"],
    ["a <<< $(b)", "b", "a"],
    ["$(a) b", "a", "? b"],
    ["a$(b)c", "b", "a?c"],
    ["a $'x\\ny'", "a ?"],
    ['a $"x y"', "a x_y"],
    ["a $ b$", "a $ b$"],
    ["a {push,origin} x{1..3} {} {a}", "a ? ? {} {a}"],
    ["a *.ts b? x[cd]", "a ?.ts b? ?"],
  ]);
});

Deno.test("bashCommands: quotes are gone, but a quoted space is no space", () => {
  check([
    ["'r'm  -rf   x", "rm -rf x"],
    ["r\\m x", "rm x"],
    ['"rm" x', "rm x"],
    ['"git x" y', "git_x y"],
    ["git\\ x y", "git_x y"],
    ["git' 'x", "git_x"],
    ["git '' x", "git '' x"],
    ["curl 'http://x/?a=1&b=2'", "curl http://x/?a=1&b=2"],
    ["find . -exec rm {} \\;", "find . -exec rm {} ;"],
    ["echo 'a\nb'", "echo a_b"],
    ['a "b\\"c\\$d\\q"', 'a b"c$d\\q'],
    ['a "b\\\nc"', "a bc"],
  ]);
});

Deno.test("bashCommands: variables and files are parts of their own", () => {
  check([
    ["GIT_SSH_COMMAND='rm x' git fetch", "GIT_SSH_COMMAND=rm_x", "git fetch"],
    ["A=1", "A=1"],
    ["A+=1 B= c D=1", "A+=1", "B=", "c D=1"],
    ["git log > out.txt", "> out.txt", "git log"],
    ["git log >> 'out x.txt'", "> out_x.txt", "git log"],
    [">out rm x", "> out", "rm x"],
    ["a &> b; c &>> d", "> b", "a", "> d", "c"],
    ["a >| b", "> b", "a"],
    ["a <> b", "> b", "a"],
    ["a >& b", "> b", "a"],
    ["a 2>&1 >/dev/null 2> /dev/stderr 3>&- <&0", "a"],
    ["a 2> e.txt", "> e.txt", "a"],
    ["a 2 > e.txt", "> e.txt", "a 2"],
    ["a < in.txt", "a"],
    ["a < $x", "< ?", "a"],
    ["a < /dev/tcp/127.0.0.1/80", "< /dev/tcp/127.0.0.1/80", "a"],
    ["a > ~/.bashrc", "> ~/.bashrc", "a"],
    ["(a) > b", "a", "> b"],
    ["(a) 2> b", "a", "> b"],
  ]);
});

Deno.test("bashCommands: here-documents", () => {
  check([
    ["cat <<E\nrm x\nE\na", "cat", "a"],
    ["cat <<E > f; b\nrm x\nE\na", "> f", "cat", "b", "a"],
    ["cat <<E\n$(rm x) `b` ${c:-$(d)} \\$(e)\nE", "cat", "rm x", "b", "d"],
    ["cat <<'E'\n$(rm x)\nE\na", "cat", "a"],
    ['cat <<"E F"\n$(rm x)\nE F\na', "cat", "a"],
    ["cat <<\\E\n$(rm x)\nE\na", "cat", "a"],
    ["cat <<-E\n\tx\n\tE\na", "cat", "a"],
    ["cat <<E\n\tE\na\nE\nb", "cat", "b"],
    ["cat <<E\nE \nE\nb", "cat", "b"],
    ["cat <<A <<B\nx\nA\ny\nB\nc", "cat", "c"],
    ["cat <<E\nx\\\nE\nE\na", "cat", "a"],
    ["cat <<E\nx\\\\\nE\na", "cat", "a"],
    ["cat <<'E'\nx\\\nE\na", "cat", "a"],
    ["cat <<E\nit's \"\nE\na", "cat", "a"],
    ["cat <<E\nnever closed\na", "cat"],
    ["echo $(cat <<E\nx\nE\n)", "cat", "echo ?"],
    ["git commit -m \"$(cat <<'E'\nFix it\n\nIt's $(fine)\nE\n)\" && a", "cat", "git commit -m ?", "a"],
  ]);
});

Deno.test("bashCommands: what can't be read for certain may be anything", () => {
  const lines = [
    "a 'b",
    'a "b',
    "a `b",
    "a $(b",
    "a )",
    "(a",
    "a (b)",
    "f() { rm x; }",
    "function f { rm x; }",
    "case x in x) rm y;; esac",
    "select x in a; do rm y; done",
    "coproc rm x",
    "((x=1))",
    "for ((;;)); do rm x; done",
    "for $x in a; do b; done",
    "a=(b c)",
    "a[$(rm x)]=1",
    "a $((rm x); ls)",
    "a $((x[$(rm y)]))",
    "a $[1]",
    "a ${x[1]}",
    "a ${x@P}",
    "a ${!x}",
    "a \"${x:-'}'}\"",
    "a $'b\\'c'",
    "[[ a && b ]]",
    "[[ a =~ (b|c) ]]",
    "a >",
    "a > ; b",
    "a > >(b",
    "{x}>y a",
    "ec\\\nho a",
    "a \\",
    'a "$\\\n(rm x)"',
    "a `'\\\nb'`",
    "a ${x:-'\\\nb'}",
    'a "$x\\\ny"',
    "a ${x:-$\\\n(rm x)}",
    "a\0b",
    "$(cat <<E)\nx\nE",
    "$(cat <<E\nx\nE\na;[[ x ]])",
    "cat <<E $(a)\nE",
    "cat <<$x\nE",
    "a" + " $(b".repeat(200) + ")".repeat(200),
  ];
  for (const line of lines) assert.equal(parts(line).at(-1), "?!", line);
  // What comes before is still there: a rule against it counts.
  assert.deepEqual(parts("rm x; case a in a) b;; esac"), ["rm x", "?!"]);
});

Deno.test("bashCommands: long lines take time in proportion to their length", () => {
  const lines = [
    "a ".repeat(100_000),
    "'".repeat(100_001),
    "a;".repeat(50_000),
    "{,".repeat(50_000),
    "$x".repeat(50_000),
  ];
  for (const line of lines) assert.ok(bashCommands(line).length > 0);
});
