import assert from "node:assert/strict";
import { restoreEnvironment } from "./environment.ts";
import { programCommand } from "./program_command.ts";

Deno.test("the program is started once more in the form it has", () => {
  const env = () => undefined;
  assert.deepEqual(programCommand({ built: "source", deno: "/d/deno", directory: "/clone/src" }, env), {
    program: "/d/deno",
    first: ["run", "-A", "/clone/main.ts"],
    env: {},
  });
  assert.deepEqual(programCommand({ built: "compiled", deno: "/c/deno", directory: "/c/engine" }, env), {
    program: Deno.execPath(),
    first: [],
    env: {},
  });
  const unpacked = programCommand(
    { built: "self-extracting", deno: "/c/deno", directory: "/c/engine" },
    env,
  );
  assert.equal(unpacked.program, "/c/deno");
  assert.equal(unpacked.first[0], "run");
  assert.ok(unpacked.first.includes("--no-config"));
  assert.equal(unpacked.first.at(-1), "/c/main.js");
});

Deno.test("the unpacked program finds its own cache, and gives the user's variables back", () => {
  const engine = { built: "self-extracting", deno: "/c/deno", directory: "/c/engine" } as const;
  for (const mine of [{}, { DENO_DIR: "/mine" }]) {
    const before = new Map(Object.entries(mine));
    const { env } = programCommand(engine, (name) => before.get(name));
    assert.equal(env.DENO_DIR, "/c/deno_dir");
    const inside = new Map([...before, ...Object.entries(env)]);
    restoreEnvironment({
      get: (name) => inside.get(name),
      set: (name, value) => void inside.set(name, value),
      delete: (name) => void inside.delete(name),
    });
    assert.deepEqual(Object.fromEntries(inside), mine);
  }
});
