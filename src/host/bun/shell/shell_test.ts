import assert from "node:assert/strict";
import { file } from "../bun_file.ts";
import { type Shell, shell } from "./shell.ts";
import { ShellError, type ShellOutput } from "./shell_output.ts";

const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bun-shell-" }));
const env = { PATH: Deno.env.get("PATH"), HOME: "/home/someone" };

Deno.test.beforeAll(() => {
  for (const path of ["d/e", "h.d"]) Deno.mkdirSync(`${folder}/${path}`, { recursive: true });
  for (const path of ["a.txt", "b.txt", "sp ace.txt", ".hid", "d/c.txt", "d/e/f.txt"]) {
    Deno.writeTextFileSync(`${folder}/${path}`, `${path}\n`);
  }
});
Deno.test.afterAll(() => Deno.removeSync(folder, { recursive: true }));

/**
 * The tests may write in their own folder alone: what a built-in command does wrong must not reach anything else.
 */
const permissions: Deno.PermissionOptions = {
  read: true,
  write: [folder, "/dev/null"],
  run: true,
  env: true,
  sys: true,
  net: false,
};

function test(name: string, fn: (test: Deno.TestContext) => void | Promise<void>): void {
  Deno.test({ name, permissions, fn });
}

/** A shell in the folder, whose scripts do not throw and print nothing. */
function $(): Shell {
  return shell({ env, run: true, tmp: "/tmp", tool: "lookup" }).cwd(folder).nothrow();
}

type Result = [stdout: string, stderr: string, exitCode: number];

async function result(promise: PromiseLike<ShellOutput> & { quiet?: () => unknown }): Promise<Result> {
  promise.quiet?.();
  const { stdout, stderr, exitCode } = await promise;
  return [stdout.toString(), stderr.toString(), exitCode];
}

/** Script and what it gives; as Bun 1.4 does, unless a comment says otherwise. */
const SCRIPTS: [string, string, string?, number?][] = [
  ["echo hi", "hi\n"],
  ['echo "a b"  c', "a b c\n"],
  ["echo 'a $HOME'", "a $HOME\n"],
  ["echo $HOME", "/home/someone\n"],
  ['echo "a $FOO b"', "a  b\n"],
  ["FOO=1; echo $FOO", "1\n"],
  ["FOO=1 && echo $FOO $FOO", "1 1\n"],
  ["FOO=1 echo $FOO", "\n"],
  [`FOO="a b"; printf '[%s]' $FOO`, "[a b]"],
  [`FOO="a b"; printf '[%s]' "$FOO"`, "[a b]"],
  ["a=1 b=2; echo $a$b", "12\n"],
  ["$EMPTY echo x", "x\n"],
  ["X=echo; $X hi", "hi\n"],
  ["export A=5; sh -c 'echo $A'", "5\n"],
  [`A=5; sh -c 'echo "[$A]"'`, "[]\n"],
  [`A=5 sh -c 'echo "[$A]"'`, "[5]\n"],
  ["export A=1 B=2 && sh -c 'echo $A$B'", "12\n"],
  ["A=1; export A; sh -c 'echo $A'", "1\n"],
  ["echo a; echo b", "a\nb\n"],
  ["echo a\necho b", "a\nb\n"],
  ["echo a \\\n b", "a b\n"],
  ["false || echo x", "x\n"],
  ["true && echo y", "y\n"],
  ["false && echo z", "", "", 1],
  ["echo a || echo b && echo c", "a\nc\n"],
  ["true&&echo y", "y\n"],
  ["; ;", ""],
  ["", ""],
  ["\n\n", ""],
  ["# comment", ""],
  ["echo a # comment", "a\n"],
  ["echo a#b", "a#b\n"],
  ["echo a | cat", "a\n"],
  ["echo a|cat | wc -c", "2\n"],
  ["yes | head -2", "y\ny\n"],
  ["seq 100000 | head -1", "1\n"],
  ["false | true", ""],
  ["true | false", "", "", 1],
  ["echo a | cat; echo b", "a\nb\n"],
  ["cd d | pwd; pwd", `${folder}\n${folder}\n`],
  ["echo *.txt", "a.txt b.txt sp ace.txt\n"],
  ['echo "*.txt" \\*', "*.txt *\n"],
  ["echo **/*.txt", "a.txt b.txt d/c.txt d/e/f.txt sp ace.txt\n"],
  ["echo d/*", "d/c.txt d/e\n"],
  ["echo .h*", ".hid\n"],
  [`echo ${folder}/d/*.txt`, `${folder}/d/c.txt\n`],
  ["echo *.zip", "", "bun: no matches found: *.zip\n", 1],
  ["echo [ab].txt ?.txt", "[ab].txt ?.txt\n"],
  ["X=*.txt; echo $X", "*.txt\n"],
  ["echo {a,b}.txt", "a.txt b.txt\n"],
  ["echo a{1,2}b{3,4}", "a1b3 a1b4 a2b3 a2b4\n"],
  ["echo {a,{b,c}}d {x} {1..3} '{a,b}' \\{a,b}", "ad bd cd {x} {1..3} {a,b} {a,b}\n"],
  ["echo {a,b}*.txt", "a.txt b.txt\n"],
  ["echo ~ ~/x a~b ~root '~'", "/home/someone /home/someone/x a~b ~root ~\n"],
  ["echo $(echo in)", "in\n"],
  [`echo "$(echo 'a  b')" $(echo 'a  b')`, "a  b a b\n"],
  [`printf '[%s]' x$(printf 'a\\nb\\n')y`, "[xa][by]"],
  ["A=$(echo 'a  b'); printf '[%s]' $A", "[a b]"],
  ["echo $(echo $(echo deep))", "deep\n"],
  [`echo "$(false)" x`, " x\n"],
  ["printf '[%s]' $(true) x", "[x]"],
  [`printf '[%s]' "" a`, "[][a]"],
  [`printf '[%s]' "$EMPTY"`, "[]"],
  ["echo a\\ b \\$HOME", "a b $HOME\n"],
  [`echo "a\\"b" "a\\nb" 'a\\nb'`, 'a"b a\\nb a\\nb\n'],
  [`echo 'it'"'"'s'`, "it's\n"],
  [`echo a"b"'c'$FOO`, "abc\n"],
  ["echo $? $! $$ \\$1", "$? $! $$ $1\n"],
  ["echo a > o.txt; cat o.txt; echo b >> o.txt; cat < o.txt", "a\na\nb\n"],
  ["echo a>o.txt; cat<o.txt", "a\n"],
  ["sh -c 'echo e >&2' 2> e.txt; cat e.txt", "e\n"],
  ["sh -c 'echo o; echo e >&2' &> e.txt; cat e.txt", "o\ne\n"],
  ["echo more &>> e.txt; cat e.txt", "o\ne\nmore\n"],
  ["sh -c 'echo o; sleep 0.1; echo e >&2' 2>&1", "o\ne\n"],
  ["echo x 1>&2", "", "x\n"],
  // Bun takes one redirection for each command
  ["sh -c 'echo o; echo e >&2' > /dev/null 2>&1", ""],
  ["cat < a.txt > o.txt && cat o.txt", "a.txt\n"],
  ["echo x >&2", "", "x\n"],
  ["(echo a; echo b) > o.txt; cat o.txt", "a\nb\n"],
  ["(echo a; echo b) | wc -l", "2\n"],
  ["cat < /dev/null", ""],
  ["echo a > nodir/x; echo b", "b\n", "bun: No such file or directory: nodir/x\n"],
  ["echo a > d", "", "bun: Is a directory: d\n", 1],
  ["cat < nowhere", "", "bun: No such file or directory: nowhere\n", 1],
  ["echo a > ''", "", "bun: ambiguous redirect\n", 1],
  ["(cd d; pwd); pwd", `${folder}/d\n${folder}\n`],
  ["cd d/e && cd .. && pwd && cd - && pwd", `${folder}/d\n${folder}/d/e\n`],
  ["cd nosuch", "", "cd: not a directory: nosuch\n", 1],
  ["cd a.txt", "", "cd: not a directory: a.txt\n", 1],
  ["cd d e", "", "cd: too many arguments\n", 1],
  ["exit 3", "", "", 3],
  ["exit", ""],
  // Bun goes on
  ["exit 3; echo no", "", "", 3],
  ["(exit 3); echo after", "after\n"],
  ["exit 300", "", "", 44],
  ["exit a", "", "exit: numeric argument required\n", 1],
  ["nosuch-cmd", "", "bun: command not found: nosuch-cmd\n", 1],
  ["nosuch-cmd | cat", "", "bun: command not found: nosuch-cmd\n"],
  ["nosuch-cmd || echo else", "else\n", "bun: command not found: nosuch-cmd\n"],
  ["test -f a.txt && [ a = a ] && echo y", "y\n"],
  ["sh -c 'exit 7'", "", "", 7],
  ["sh -c 'kill -9 $$'", "", "", 137],
  ["echo -n x; echo -e 'a\\tb'; echo -ne 'c\\n'; echo -- -x", "xa\tb\nc\n-- -x\n"],
  ["pwd; pwd x", `${folder}\n`, "pwd: too many arguments\n", 1],
  ["seq 3; seq 2 4; seq 1 2 6; seq 3 -1 1; seq 0.5 1 2", "1\n2\n3\n2\n3\n4\n1\n3\n5\n3\n2\n1\n0.5\n1.5\n"],
  ["seq a", "", "seq: invalid argument\n", 1],
  ["seq -s , 3", "1,2,3\n"],
  ["basename /a/b.txt /a/b/ x; dirname /a/b.txt a / a/b/c/", "b.txt\nb\nx\n/a\n.\n/\na/b\n"],
  ["which nosuch", "which: nosuch not found\n", "", 1],
  ["mkdir q/r", "", "mkdir: q/r: No such file or directory\n", 1],
  ["mkdir d", "", "mkdir: d: File exists\n", 1],
  [
    "mkdir -p q/r && touch q/t && ls q && ls -a q && ls q/t q && mv q/t q/r && ls q/r && ls -1 d",
    "r\nt\n.\n..\nr\nt\nq/t\nq:\nr\nt\nt\nc.txt\ne\n",
  ],
  ["ls d", "c.txt\ne\n"],
  ["mv nosuch x", "", "mv: nosuch: No such file or directory\n", 1],
  ["ls nosuch", "", "ls: nosuch: No such file or directory\n", 1],
  ["cat a.txt d/c.txt", "a.txt\nd/c.txt\n"],
  ["cat nosuch; echo c", "c\n", "cat: nosuch: No such file or directory\n"],
  ["cat -n a.txt", "     1\ta.txt\n"],
  ["cp a.txt c2.txt; ls c2.txt", "c2.txt\n"],
];

test("$ runs scripts as Bun does", async (context) => {
  for (const [script, stdout, stderr = "", exitCode = 0] of SCRIPTS) {
    await context.step(script, async () => {
      assert.deepEqual(await result($()`${{ raw: script }}`), [stdout, stderr, exitCode]);
    });
  }
});

test("$ refuses what it does not run, and names it", () => {
  const cases: [string, RegExp][] = [
    ["if true; then echo; fi", /does not run `if` in this runtime: use JavaScript around the commands/],
    ["for i in 1 2; do echo $i; done", /does not run `for`/],
    ["while true; do echo; done", /does not run `while`/],
    ["case a in a) echo;; esac", /does not run `case`/],
    ["function f { echo; }", /does not run `function`/],
    ["f() { echo; }", /Unexpected token: `\(`/],
    ["{ echo a; }", /does not run `{` in this runtime: use \( \)/],
    ["! true", /does not run `!`/],
    ["[[ a == a ]]", /does not run `\[\[` in this runtime: use test/],
    ["echo a &", /Background commands "&" are not supported/],
    ["sleep 0 & echo b", /Background commands "&" are not supported/],
    ["cat <<EOF\nx\nEOF", /Here-documents/],
    ["cat <<< hi", /Here-documents/],
    ["echo a |& cat", /use 2>&1 \|/],
    ["echo $((1+2))", /Arithmetic expansion/],
    ["echo `echo hi`", /use \$\(…\)/],
    ['echo "open', /the " before "open" is not closed/],
    ["echo 'open", /the ' before "open" is not closed/],
    ["echo $(echo", /a `\)` is missing/],
    ["(echo", /a `\)` is missing/],
    ["echo )", /got: "\)"/],
    ["|", /got: "\|"/],
    ["echo a |", /Unexpected EOF/],
    ["&& a", /got: "&&"/],
    ["echo a &&", /expected a command or assignment/],
    ["echo a >", /Redirection with no file/],
    ["echo a > ; b", /Redirection with no file/],
    [`${"(".repeat(100)}echo${")".repeat(100)}`, /more than 64 levels/],
    ["echo " + "x".repeat(2 ** 20), /a script may have/],
  ];
  for (const [script, message] of cases) {
    assert.throws(() => $()`${{ raw: script }}`, message, script.slice(0, 40));
  }
});

test("$ bounds braces and patterns", async () => {
  await assert.rejects(result($()`${{ raw: `echo ${"{a,b}".repeat(20)}` }}`), /more than 10000 words/);
});

test("$ takes each interpolated text as one word", async () => {
  const hostile = `a b; $HOME "q" 'z' \`x\` $(y) \\ * {1,2} ~ é🌍 | & > < #`;
  const args = (strings: string) => strings;
  const cases: [PromiseLike<ShellOutput>, string][] = [
    [$()`printf '[%s]' ${hostile}`, `[${hostile}]`],
    [$()`printf '[%s]' "${hostile}"`, `[${hostile}]`],
    [$()`printf '[%s]' '${hostile}'`, `[${hostile}]`],
    [$()`printf '[%s]' pre${hostile}post`, `[pre${hostile}post]`],
    [$()`printf '[%s]' --a=${"x y"}`, "[--a=x y]"],
    [$()`printf '[%s]' ${""} a${""}b x`, "[][ab][x]"],
    [
      $()`printf '[%s]' ${1} ${true} ${1.5} ${10n} ${null} ${undefined}`,
      "[1][true][1.5][10][null][undefined]",
    ],
    [$()`printf '[%s]' ${["a b", "c", 3]}`, "[a b][c][3]"],
    [$()`printf '[%s]' ${["a", ["b", "c"]]}`, "[a][b][c]"],
    [$()`printf '[%s]' x${["a", "b"]}y`, "[xa][by]"],
    [$()`printf '[%s]' "${["a", "b"]}"`, "[a b]"],
    [$()`printf '[%s]' ${[]}`, "[]"],
    [$()`printf '[%s]' ${{ raw: "a b $(echo hi)" }}`, "[a][b][hi]"],
    [$()`printf '[%s]' ${[{ raw: "a b" }]}`, "[a][b]"],
    [$()`printf '[%s]' ${{ toString: () => args("ts x") }}`, "[ts x]"],
    [$()`printf '[%s]' ${new URL("http://a/b?c=d&e")}`, "[http://a/b?c=d&e]"],
    [$()`printf '[%s]' ${file("a b.txt")}`, "[a b.txt]"],
    [$()`printf '[%s]' ${"a\nb"}`, "[a\nb]"],
    [$()`${"echo"} hi`, "hi\n"],
    [$()`${["echo", "hi"]}`, "hi\n"],
    [$()`A=${"x; y"} sh -c 'echo "$A"'`, "x; y\n"],
    [$()`echo ${"*.txt"} ${"~"}/x ${"#x"} ${["a;", "b|"]}`, "*.txt ~/x #x a; b|\n"],
    [$()`echo ${{ raw: "a*.txt" }}`, "a.txt\n"],
    [$()`echo $(echo ${"a  b"}) "$(echo ${"c  d"})"`, "a b c  d\n"],
    [$()`printf '[%s]' a\nb "c\nd" 'e\nf'`, "[anb][c\\nd][e\\nf]"],
    [$()`echo \`echo hi\``, "`echo hi`\n"],
  ];
  for (const [promise, stdout] of cases) assert.deepEqual(await result(promise), [stdout, "", 0], stdout);
  assert.deepEqual(await result($()`${"echo hi"}`), ["", "bun: command not found: echo hi\n", 1]);
  assert.deepEqual(await result($()`${"if"} x`), ["", "bun: command not found: if\n", 1]);
});

test("$ refuses values that are no text", () => {
  const cases: [unknown, RegExp][] = [
    [
      { a: 1 },
      /Invalid JS object used in shell: \[object Object\], you might need to call `\.toString\(\)` on it/,
    ],
    [Object.create(null), /Invalid JS object used in shell/],
    ["a\0b", /string without null bytes/],
    [{ raw: "a\0b" }, /string without null bytes/],
    ["a\ud800b", /invalid UTF-16/],
    [new Blob(["x"]).stream(), /ReadableStream is not supported as a shell redirect/],
    [Symbol("x"), /Cannot convert a Symbol value to a string/],
  ];
  for (const [value, message] of cases) assert.throws(() => $()`echo ${value}`, message);
  assert.throws(() => Reflect.apply($(), undefined, ["echo hi"]), /tagged template function/);
});

test("$ reads input from objects", async () => {
  Deno.writeTextFileSync(`${folder}/in.txt`, "in");
  const inputs: [unknown, string][] = [
    [new Response("response"), "response"],
    [new Blob(["blob"]), "blob"],
    [new TextEncoder().encode("bytes"), "bytes"],
    [new TextEncoder().encode("buffer").buffer, "buffer"],
    [new Uint16Array([0x6968]), "hi"],
    ["in.txt", "in"],
    [file("in.txt"), "in"],
    [file(`${folder}/in.txt`), "in"],
    [new Response(null), ""],
  ];
  for (const [input, text] of inputs) {
    assert.deepEqual(await result($()`cat < ${input}`), [text, "", 0]);
  }
  assert.deepEqual(await result($()`sh -c 'cat' < ${new Response("to a program")} | wc -w`), ["3\n", "", 0]);
  await assert.rejects(result($()`printf '[%s]' ${new Uint8Array(1)}`), /data can only stand after < or >/);
});

test("$ writes output into objects", async () => {
  const bytes = new Uint8Array(10);
  await $()`echo hello > ${bytes}`;
  assert.equal(new TextDecoder().decode(bytes), "hello\n\0\0\0\0");
  const small = new Uint8Array(3);
  await $()`echo hello > ${small}`;
  assert.equal(new TextDecoder().decode(small), "hel");
  const wide = new Uint16Array(4);
  await $()`printf abcd > ${wide}`;
  assert.deepEqual([...wide], [25185, 25699, 0, 0]);
  const buffer = new ArrayBuffer(4);
  await $()`sh -c 'printf abcd >&2' 2> ${buffer}`;
  assert.equal(new TextDecoder().decode(buffer), "abcd");
  await $()`echo hello > ${file(`${folder}/out.txt`)} && echo more >> ${"out.txt"}`;
  assert.equal(Deno.readTextFileSync(`${folder}/out.txt`), "hello\nmore\n");
  for (const target of [new Blob(["x"]), new Response("x")]) {
    await assert.rejects(
      result($()`echo hello > ${target}`),
      /Cannot redirect stdout\/stderr to an immutable blob/,
    );
  }
});

test("$ throws for a status, with what was put out", async () => {
  const throwing = $().throws(true);
  const promise = throwing`sh -c 'echo o; echo e >&2; exit 7'`.quiet();
  const error = await promise.then(() => assert.fail("did not throw"), (thrown: unknown) => thrown);
  assert.ok(error instanceof throwing.ShellError && error instanceof ShellError && error instanceof Error);
  assert.equal(error.message, "Failed with exit code 7");
  assert.deepEqual([error.exitCode, error.stdout.toString(), error.stderr.toString()], [7, "o\n", "e\n"]);
  assert.deepEqual([error.text(), error.info.exitCode], ["o\n", 7]);
  await assert.rejects(throwing`false`.text(), ShellError);
  await assert.rejects(throwing`nosuch-x`.quiet(), { exitCode: 1 });
  assert.equal((await throwing`false`.quiet().nothrow()).exitCode, 1);
  assert.equal(await throwing`sh -c 'echo o; exit 7'`.nothrow().text(), "o\n");
  await assert.rejects(
    (async () => {
      for await (const _ of throwing`sh -c 'echo x; exit 3'`.lines());
    })(),
    ShellError,
  );
});

test("$ gives its output in every form", async () => {
  const run = $();
  assert.equal(await run`echo text`.text(), "text\n");
  assert.equal(await run`printf abc`.text("base64"), "YWJj");
  assert.deepEqual(await run`echo '{"a": 1}'`.json(), { a: 1 });
  await assert.rejects(run`echo '{a'`.json(), SyntaxError);
  assert.deepEqual(await run`printf abc`.bytes(), new TextEncoder().encode("abc"));
  assert.equal((await run`printf abc`.arrayBuffer()).byteLength, 3);
  assert.equal((await run`printf abc`.blob()).size, 3);
  const lines: string[] = [];
  for await (const line of run`printf 'a\nb\n\nc'`.lines()) lines.push(line);
  assert.deepEqual(lines, ["a", "b", "", "c"]);
  const output = await run`echo x`.quiet();
  assert.deepEqual([output.text(), output.bytes().length, output.blob().size, output.exitCode], [
    "x\n",
    2,
    2,
    0,
  ]);
  const promise = run`echo once`.quiet();
  assert.equal(await promise, await promise);
  assert.equal(await promise.text(), "once\n");
});

test("$ starts when it is awaited, and can be set until then", async () => {
  const promise = $()`touch started.txt`;
  await new Promise((resolve) => setTimeout(resolve, 20));
  const exists = () => file(`${folder}/started.txt`).exists();
  assert.equal(await exists(), false);
  await promise;
  assert.equal(await exists(), true);
  assert.throws(() => promise.cwd("/"), { message: "Shell is already running" });
});

test("$ has its working directory and environment from the call, the shell, the tool", async () => {
  const run = $();
  assert.equal(await run`pwd`.cwd("/").text(), "/\n");
  await assert.rejects(run`pwd`.cwd("/nowhere").text(), {
    code: "ENOENT",
    message: "No such file or directory: /nowhere",
  });
  assert.equal(await run`sh -c 'echo $A-$B'`.env({ ...env, A: "1", B: undefined }).text(), "1-\n");
  run.env({ ...env, A: "shell" });
  assert.equal(await run`echo $A`.text(), "shell\n");
  assert.equal(await run`echo $A`.env({ A: "call" }).text(), "call\n");
  run.env();
  assert.equal(await run`echo $A $HOME`.text(), "/home/someone\n");
  const other = new run.Shell() as Shell;
  other.cwd("/").nothrow();
  assert.equal(await other`pwd`.text(), "/\n");
  assert.equal((await other`false`.quiet()).exitCode, 1);
  assert.equal(await run`pwd`.text(), `${folder}\n`);
});

test("$ escapes and expands braces as Bun does", () => {
  const escapes: [string, string][] = [
    ["plain", "plain"],
    ["a b", '"a b"'],
    ["it's", '"it\'s"'],
    ["", '""'],
    ['$(foo) `bar` "baz"', '"\\$(foo) \\`bar\\` \\"baz\\""'],
    ["a\\b", '"a\\\\b"'],
    ["a!b@é", "a!b@é"],
  ];
  for (const [text, escaped] of escapes) assert.equal($().escape(text), escaped);
  const words: [string, string[]][] = [
    ["echo {1,2,3}", ["echo 1", "echo 2", "echo 3"]],
    ["a{b,c{d,e}}f", ["abf", "acdf", "acef"]],
    ["none", ["none"]],
    ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
    ["{a}", ["{a}"]],
    ["{a,}", ["a", ""]],
    ["{1..3}", ["{1..3}"]],
    ["a{b,c", ["a{b,c"]],
  ];
  for (const [pattern, expanded] of words) assert.deepEqual($().braces(pattern), expanded);
});

test("$ without a right to run names the setting", () => {
  const refused = shell({ env: {}, run: false, tmp: "/tmp", tool: "lookup" });
  assert.throws(() => refused`echo hi`, {
    message: "lookup may not run programs: add what it needs under tool_settings.lookup.permissions.run",
  });
});
