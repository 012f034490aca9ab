import assert from "node:assert/strict";
import { join } from "node:path";
import { lateImports, quickStart } from "./quick_start.ts";

const STAND_INS = Deno.readTextFileSync(join(import.meta.dirname!, "stand_ins.js"));

const TABLE: [name: string, before: string, after: string][] = [
  ["a default import", 'import P from"node:child_process";', 'const P=standInModule("node:child_process");'],
  ["with blanks", 'import fs from "node:fs";', 'const fs=standInModule("node:fs");'],
  ["a dollar in a name", 'import $e from"node:path";', 'const $e=standInModule("node:path");'],
  ["the event emitter", 'import{EventEmitter as he}from"node:events";', "const he=StandInEventEmitter;"],
  [
    "the colour stripper",
    'import{stripVTControlCharacters as ce}from"node:util";',
    "const ce=standInStripVTControlCharacters;",
  ],
  ["another name stays", 'import{inspect as i}from"node:util";', 'import{inspect as i}from"node:util";'],
  ["another module stays", 'import P from"node:crypto";', 'import P from"node:crypto";'],
  [
    "several names stay",
    'import{join as a,dirname as b}from"node:path";',
    'import{join as a,dirname as b}from"node:path";',
  ],
  ["a namespace stays", 'import*as p from"node:path";', 'import*as p from"node:path";'],
];
for (const [name, before, after] of TABLE) {
  Deno.test(`quickStart: ${name}`, () => assert.equal(quickStart(before, "x"), `x\n${after}`));
}

/** Runs a module with the stand-ins in front of it and answers what it prints. */
async function run(code: string): Promise<string> {
  const file = Deno.makeTempFileSync({ suffix: ".js" });
  try {
    Deno.writeTextFileSync(file, quickStart(code, STAND_INS));
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", file],
      env: { NO_COLOR: "1" },
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  } finally {
    Deno.removeSync(file);
  }
}

Deno.test("stand-ins: the modules are the real ones when they are used", async () => {
  const code = `import p from"node:path";import f from"node:fs";import q from"node:process";
    q.exitCode=0;console.log(p.join("a","b"),f.existsSync("/"),q.pid===Deno.pid,"env"in q);`;
  assert.equal(await run(code), "a/b true true true\n");
});

Deno.test("stand-ins: the emitter calls its listeners in order, on itself", async () => {
  const code = `import{EventEmitter as E}from"node:events";
    class C extends E{n="c"};const c=new C();const seen=[];
    c.on("x",function(a){seen.push(this.n+a)}).on("x",(a,b)=>seen.push(b));
    console.log(c.emit("x",1,2),c.emit("y"),c.listenerCount("x"),c.listenerCount("y"),seen.join());`;
  assert.equal(await run(code), "true false 2 0 c1,2\n");
});

Deno.test("stand-ins: colours are taken off", async () => {
  const code =
    `import{stripVTControlCharacters as s}from"node:util";console.log(s("a\\x1b[1;31mb\\x1b[0mc"));`;
  assert.equal(await run(code), "abc\n");
});

Deno.test("lateImports: dynamic imports of chunks only", () => {
  assert.equal(
    lateImports('let f=()=>import("./a.js");import(x);import("node:fs");import b from"./b.js"'),
    'const beside="";let f=()=>import(beside+"./a.js");import(x);import("node:fs");import b from"./b.js"',
  );
  assert.equal(lateImports('import b from"./b.js"'), 'import b from"./b.js"');
});
