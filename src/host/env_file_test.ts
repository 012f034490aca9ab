import assert from "node:assert/strict";
import { join } from "node:path";
import { EnvFile, lineWithoutValue, parseEnvText } from "./env_file.ts";

const PEM = "-----BEGIN KEY-----\nMIIB\nVgIB==\n-----END KEY-----";

Deno.test("parseEnvText: values byte for byte", () => {
  const cases: [what: string, text: string, expected: Record<string, string>][] = [
    ["plain, quoted, empty", "A=1\nB=\"two words\"\nC='it'\nD=\nE=''\n", {
      A: "1",
      B: "two words",
      C: "it",
      D: "",
      E: "",
    }],
    ["a PEM key", `PEM="${PEM}"\nX=1`, { PEM, X: "1" }],
    ["a PEM key with CRLF", `PEM="${PEM.replaceAll("\n", "\r\n")}"\r\nX=1\r\n`, {
      PEM: PEM.replaceAll("\n", "\r\n"),
      X: "1",
    }],
    ["CRLF at the end inside quotes", 'A="x\r\n"\r\nB=y\r\n', { A: "x\r\n", B: "y" }],
    ["CRLF outside of quotes is the line's", "A=x\r\n\r\n# c\r\nexport B='y'\r\nC=\r\nD=1", {
      A: "x",
      B: "y",
      C: "",
      D: "1",
    }],
    ["quotes in other quotes", `A="it's"\nB='say "hi"'\nC=\`"both's"\`\nD=it's`, {
      A: "it's",
      B: 'say "hi"',
      C: `"both's"`,
      D: "it's",
    }],
    ["nothing is expanded or run", "A=$(id)\nB=$HOME\nC='${A}'\nD=`id`", {
      A: "$(id)",
      B: "$HOME",
      C: "${A}",
      D: "id",
    }],
    ["lines that look like commands stay in the value", "A='x\nunset HOME\nexport Y=1\n'\nB=2", {
      A: "x\nunset HOME\nexport Y=1\n",
      B: "2",
    }],
    ["JSON over several lines", `A='{\n  "k": "v"\n}'\n`, { A: '{\n  "k": "v"\n}' }],
    ["export, comments, spaces", "export A='y'\n# B=2\n  C = sp  \nD=x # note\nE=\"x # no note\"", {
      A: "y",
      C: "sp",
      D: "x",
      E: "x # no note",
    }],
    ["an equals sign, unicode", "A=x=y==\nB='ü🌍'", { A: "x=y==", B: "ü🌍" }],
    ["a BOM", "\uFEFFA=1\n", { A: "1" }],
    ["nothing", "", {}],
  ];
  for (const [what, text, expected] of cases) assert.deepEqual({ ...parseEnvText(text) }, expected, what);
});

Deno.test("lineWithoutValue: what the parser would pass over without a word", () => {
  const cases: [text: string, line: number | undefined][] = [
    ["", undefined],
    ["A=1\n# x\n  \nexport B=\r\nC=x=y\n", undefined],
    ["hunter2", 1],
    ["\uFEFFA=1\r\nexport B\r\n", 2],
    [`PEM="${PEM}"\nB`, 5],
    [`A='x\ny\n'\nB=2`, undefined],
    ["A=`one\ntwo` # note\nthree", 3],
    // The quote is never closed: what follows is no part of the value.
    [`A="x\ny`, 2],
    [`A=it's\nB="it's"\nC`, 3],
  ];
  for (const [text, line] of cases) assert.equal(lineWithoutValue(text), line, JSON.stringify(text));
});

Deno.test("EnvFile: read again when it changed, the same object while not", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, "env");
    const file = new EnvFile(path);
    assert.throws(() => file.read(), {
      code: "env_file",
      message: `the env file ${path} could not be read: it does not exist.`,
    });
    Deno.writeTextFileSync(path, "A=1");
    assert.deepEqual({ ...file.read() }, { A: "1" });
    // Written again at once, with the same size: the time stamp may be the same.
    Deno.writeTextFileSync(path, "A=2");
    assert.deepEqual({ ...file.read() }, { A: "2" });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const values = file.read();
    assert.equal(file.read(), values);
    const info = Deno.statSync(path);
    Deno.writeTextFileSync(path, "A=3");
    Deno.utimeSync(path, info.atime ?? 0, info.mtime ?? 0);
    assert.deepEqual({ ...file.read() }, { A: "3" });
    Deno.writeFileSync(path, new Uint8Array([0x41, 0x3d, 0xff]));
    assert.throws(() => file.read(), { code: "env_file", message: /it is not UTF-8 text\.$/ });
    Deno.writeTextFileSync(path, "A=1\n\nhunter2\n");
    assert.throws(() => file.read(), {
      code: "env_file",
      message: `the env file ${path} could not be read: line 3 is not NAME=value.`,
    });
    Deno.removeSync(path);
    assert.throws(() => file.read(), { code: "env_file" });
    Deno.mkdirSync(path);
    assert.throws(() => file.read(), { code: "env_file" });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
