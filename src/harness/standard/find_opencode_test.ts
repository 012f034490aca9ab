import assert from "node:assert/strict";
import { join } from "node:path";
import { BeeuniError } from "../../errors/error.ts";
import { findOpenCode } from "./find_opencode.ts";

async function withProgram(text: string | undefined, fn: (folder: string, path: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-find-opencode-" });
  try {
    const path = join(folder, "opencode");
    if (text !== undefined) await Deno.writeTextFile(path, text, { mode: 0o755 });
    await fn(folder, path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function variables(values: Record<string, string>): (name: string) => string | undefined {
  return (name) => values[name];
}

async function missing(found: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(found, (error) => {
    assert.ok(error instanceof BeeuniError, String(error));
    assert.equal(error.code, "harness_missing");
    assert.match(error.message, message);
    assert.match(error.hint ?? "", /npm install -g opencode-ai@1\.18/);
    return true;
  });
}

Deno.test("findOpenCode: which versions will do", async () => {
  const rows: [said: string, newer: boolean | RegExp][] = [
    ["1.18.33", false],
    ["1.18.0", false],
    ["v1.18.2", false],
    ["1.19.0", true],
    ["2.0.1", true],
    [
      "1.17.99",
      /^the standard harness needs OpenCode 1\.18: the one at .* is 1\.17\.99, which is too old$/,
    ],
    ["0.20.0", /is 0\.20\.0, which is too old$/],
    ["hello", /is no OpenCode: it does not tell its version$/],
    ["", /is no OpenCode/],
  ];
  for (const [said, expected] of rows) {
    await withProgram(`#!/bin/sh\necho '${said}'\n`, async (folder, path) => {
      const found = findOpenCode(variables({ BEEUNI_OPENCODE: path, PATH: "/usr/bin:/bin" }), folder);
      if (expected instanceof RegExp) await missing(found, expected);
      else assert.deepEqual(await found, { path, version: said.replace("v", ""), newer: expected });
    });
  }
});

Deno.test("findOpenCode: by name, then on PATH; never a relative folder of it", async () => {
  await withProgram("#!/bin/sh\necho 1.18.33\n", async (folder, path) => {
    const onPath = variables({ PATH: `relative:.:/nowhere:${folder}:/usr/bin:/bin` });
    assert.equal((await findOpenCode(onPath, folder)).path, path);
    await missing(findOpenCode(variables({ PATH: "/nowhere:." }), folder), /there is no opencode on PATH$/);
    const named = (value: string) => variables({ BEEUNI_OPENCODE: value, PATH: folder });
    await missing(findOpenCode(named(join(folder, "other")), folder), /and no program is there$/);
    await missing(findOpenCode(named(folder), folder), /and no program is there$/);
    await missing(findOpenCode(named("opencode"), folder), /must be an absolute path, not opencode$/);
    await Deno.chmod(path, 0o644);
    await missing(findOpenCode(named(path), folder), /and no program is there$/);
  });
});

Deno.test("findOpenCode: a program that can't be started, and the environment it is asked in", async () => {
  await withProgram("#!/nowhere/interpreter\n", async (folder, path) => {
    await missing(findOpenCode(variables({ BEEUNI_OPENCODE: path }), folder), /can't be started$/);
  });
  await withProgram('#!/bin/sh\nenv > "$HOME/seen"\necho 1.18.33\n', async (folder, path) => {
    const env = variables({
      BEEUNI_OPENCODE: path,
      PATH: "/usr/bin:/bin",
      OPENAI_API_KEY: "secret",
      BEEUNI_MODEL_API_KEY: "secret",
      OPENCODE_CONFIG: "/elsewhere",
      HOME: "/elsewhere",
    });
    await findOpenCode(env, folder);
    const seen = await Deno.readTextFile(join(folder, "seen"));
    assert.doesNotMatch(seen, /secret|^BEEUNI|elsewhere/m);
    assert.match(seen, new RegExp(`^HOME=${folder}$`, "m"));
  });
});
