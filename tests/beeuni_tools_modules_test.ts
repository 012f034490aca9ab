/** The five modules as a project gets them: alone in a folder, under a plain Deno. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { FakeProvider, recorded } from "../fixtures/providers/fake_provider.ts";
import { BEEUNI_TOOLS } from "../src/beeuni_tools/registry.ts";

const MODULES = new URL("../src/beeuni_tools/", import.meta.url);

/** Runs Deno without our configuration; `stdin` is what it reads, for example a program. */
async function deno(args: string[], options: { cwd?: string; stdin?: string } = {}) {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(options.stdin ?? ""));
  await input.close();
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("the modules are formatted as the product page writes them", async () => {
  const files = BEEUNI_TOOLS.map((name) => fileURLToPath(new URL(`${name}.ts`, MODULES)));
  const style = ["--no-config", "--single-quote", "--no-semicolons", "--line-width", "110"];
  const { code, stderr } = await deno(["fmt", "--check", ...style, ...files]);
  assert.equal(code, 0, stderr);
});

Deno.test("copied alone into a project they pass a strict type check", async () => {
  const folder = await Deno.makeTempDir({ prefix: "beeuni-eject-" });
  try {
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noImplicitOverride: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      noImplicitReturns: true,
      noFallthroughCasesInSwitch: true,
      erasableSyntaxOnly: true,
    };
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ compilerOptions }));
    for (const name of BEEUNI_TOOLS) {
      await Deno.copyFile(new URL(`${name}.ts`, MODULES), `${folder}/${name}.ts`);
    }
    const { code, stderr } = await deno(["check", ...BEEUNI_TOOLS.map((name) => `${name}.ts`)], {
      cwd: folder,
    });
    assert.equal(code, 0, stderr);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("they load without any right and without a type check", async () => {
  const program =
    BEEUNI_TOOLS.map((name) => `import ${name} from "${new URL(`${name}.ts`, MODULES)}";`).join("\n") +
    `\nconsole.log([${BEEUNI_TOOLS.join(", ")}].map((tool) => typeof tool.execute).join());`;
  const { stdout, stderr } = await deno(["run", "--no-prompt", "--no-config", "--no-check", "-"], {
    stdin: program,
  });
  assert.equal(stdout, "function,function,function,function,function\n", stderr);
});

Deno.test("a web tool needs its provider's address alone, and leaves no timer behind", async () => {
  await using server = await FakeProvider.start([{ text: recorded("tavily/search.json") }]);
  const program = `
    import tool from "${new URL("web_search.ts", MODULES)}";
    const context = {
      sessionId: "", agent: "", directory: "/", signal: new AbortController().signal,
      env: { TAVILY_API_KEY: "key", TAVILY_BASE_URL: "${server.url}" },
    };
    const output = await tool.execute({ query: "q" }, context);
    console.log(output.results.length);
    context.env.TAVILY_BASE_URL = "http://127.0.0.1:59999";
    await tool.execute({ query: "q" }, context).catch((error) => console.log(error.message));
  `;
  const net = `--allow-net=${new URL(server.url).host}`;
  // A deadline timer of 60 s that is still referenced would keep the process from ending.
  const ended = await Promise.race([
    deno(["run", "--no-prompt", "--no-config", "--no-check", net, "-"], { stdin: program }),
    server.untilAbandoned(),
  ]);
  assert(ended);
  assert.match(
    ended.stdout,
    /^2\nWeb search failed\. q: .*Requires net access to "127\.0\.0\.1:59999"/,
    ended.stderr,
  );
});
