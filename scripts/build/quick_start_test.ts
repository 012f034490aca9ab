import assert from "node:assert/strict";
import { join } from "node:path";
import { lateFunctions, lateImports, quickStart } from "./quick_start.ts";

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

const CRYPTO = 'globalThis.process.getBuiltinModule("node:crypto")';
const FUNCTIONS: [name: string, before: string, after: string][] = [
  [
    "one",
    'let b;import{createHash as ss}from"node:crypto";ss("x");',
    `let b;function ss(...a){return ${CRYPTO}.createHash(...a)}ss("x");`,
  ],
  [
    "several, one under its own name",
    'import { createHmac, randomBytes as $ } from "node:crypto";',
    `function createHmac(...a){return ${CRYPTO}.createHmac(...a)}function $(...a){return ${CRYPTO}.randomBytes(...a)}`,
  ],
  [
    "what is no function stays",
    'import{constants as c}from"node:fs";',
    'import{constants as c}from"node:fs";',
  ],
  [
    "what stands beside it too",
    'import{constants as c,existsSync as e}from"node:fs";',
    'import{constants as c,existsSync as e}from"node:fs";',
  ],
  ["another module stays", 'import{join as j}from"node:path";', 'import{join as j}from"node:path";'],
  ["a chunk stays", 'import{createHash as c}from"./chunk.js";', 'import{createHash as c}from"./chunk.js";'],
];
for (const [name, before, after] of FUNCTIONS) {
  Deno.test(`lateFunctions: ${name}`, () => assert.equal(lateFunctions(before), after));
}

Deno.test("lateFunctions: they are the real ones, also before their place in the module", async () => {
  const code = `console.log(h("sha256").update("").digest("hex").slice(0,8),e("/"));
    import{createHash as h}from"node:crypto";import{existsSync as e}from"node:fs";`;
  assert.equal(await run(lateFunctions(code)), "e3b0c442 true\n");
});
