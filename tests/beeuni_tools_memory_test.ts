/** `memory` in processes of its own: with its rights, with two agents, with one that dies. */
import assert from "node:assert/strict";
import fs from "node:fs";

const MODULE = new URL("../src/beeuni_tools/memory.ts", import.meta.url);

/** What a program of these tests starts with: `call` runs one command in the checkout. */
function preamble(directory: string): string {
  return `
    import fs from "node:fs";
    import tool from "${MODULE}";
    const context = {
      sessionId: "", agent: "", directory: ${
    JSON.stringify(directory)
  }, env: {}, signal: new AbortController().signal,
    };
    const call = async (args) => {
      try { return await tool.execute(args, context) } catch (error) { return "THROWN " + error.message }
    };
  `;
}

/** Starts a program in a Deno of its own. */
async function start(rights: string[], program: string): Promise<Deno.ChildProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-config", "--no-check", ...rights, "-"],
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(program));
  await input.close();
  return child;
}

/** What a program prints as JSON. */
async function run(rights: string[], program: string): Promise<unknown> {
  const { stdout } = await (await start(rights, program)).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

function rightsOn(directory: string): string[] {
  return [`--allow-read=${directory}/memory`, `--allow-write=${directory}/memory`];
}

/** A temp folder with a checkout in it. */
class Checkout implements Disposable {
  readonly parent = fs.realpathSync(Deno.makeTempDirSync({ prefix: "beeuni-memory-" }));
  readonly directory = `${this.parent}/checkout`;

  constructor(files: Record<string, string> = {}) {
    fs.mkdirSync(this.directory);
    for (const [path, text] of Object.entries(files)) {
      fs.mkdirSync(`${this.directory}/memory`, { recursive: true });
      fs.writeFileSync(`${this.directory}/${path}`, text);
    }
  }

  read(path: string): string {
    return fs.readFileSync(`${this.directory}/${path}`, "utf8");
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.parent, { recursive: true });
  }
}

const COMMANDS = [
  { command: "view", path: "memory" },
  { command: "create", path: "memory/a/b.md", file_text: "one\ntwo\n" },
  { command: "view", path: "memory/a/b.md" },
  { command: "str_replace", path: "memory/a/b.md", old_str: "two", new_str: "2" },
  { command: "insert", path: "memory/a/b.md", insert_line: 0, insert_text: "zero" },
  { command: "rename", old_path: "memory/a/b.md", new_path: "memory/c/d.md" },
  { command: "view", path: "/memories/c/d.md" },
  { command: "delete", path: "memory/a" },
  { command: "delete", path: "memory" },
  { command: "view", path: "memory/../secret.txt" },
  { command: "view", path: "memory/link.txt" },
  { command: "create", path: "memory/link/new.txt", file_text: "x" },
];

const ANSWERS = [
  "The path memory does not exist. Please provide a valid path.",
  "File created successfully at: memory/a/b.md",
  "Here's the content of memory/a/b.md with line numbers:\n     1\tone\n     2\ttwo",
  "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
  "     1\tone\n     2\t2",
  "The file memory/a/b.md has been edited.",
  "Successfully renamed memory/a/b.md to memory/c/d.md",
  "Here's the content of /memories/c/d.md with line numbers:\n     1\tzero\n     2\tone\n     3\t2",
  "Successfully deleted memory/a",
  "Cannot delete the memory directory itself",
  "Error: Path memory/../secret.txt would escape memory directory",
  "Error: Path memory/link.txt would escape memory directory",
  "Error: Path memory/link/new.txt would escape memory directory",
];

Deno.test("every command works with rights on memory/ alone, which it makes itself", async () => {
  using checkout = new Checkout();
  fs.writeFileSync(`${checkout.directory}/secret.txt`, "secret");
  const commands = (from: number, to: number) =>
    run(
      rightsOn(checkout.directory),
      `${preamble(checkout.directory)}
       const answers = [];
       for (const args of ${JSON.stringify(COMMANDS.slice(from, to))}) answers.push(await call(args));
       console.log(JSON.stringify(answers));`,
    );
  assert.deepEqual(await commands(0, 10), ANSWERS.slice(0, 10));
  fs.symlinkSync("../secret.txt", `${checkout.directory}/memory/link.txt`);
  fs.symlinkSync("..", `${checkout.directory}/memory/link`);
  assert.deepEqual(await commands(10, 12), ANSWERS.slice(10));
  assert.equal(fs.statSync(`${checkout.directory}/memory`).mode & 0o777, 0o700);
  assert.deepEqual(fs.readdirSync(checkout.directory).sort(), ["memory", "secret.txt"]);
});

Deno.test("a checkout reached through a link works with rights on the link's path", async () => {
  using checkout = new Checkout();
  const link = `${checkout.parent}/link`;
  fs.symlinkSync("checkout", link);
  const answers = await run(
    rightsOn(link),
    `${preamble(link)}
     const answers = [];
     for (const args of ${JSON.stringify(COMMANDS.slice(0, 9))}) answers.push(await call(args));
     console.log(JSON.stringify(answers));`,
  );
  assert.deepEqual(answers, ANSWERS.slice(0, 9));
});

Deno.test("two agents at once: no change is lost, and a file is created once", async () => {
  using checkout = new Checkout({ "memory/log.md": "" });
  const agent = (name: string) =>
    run(
      rightsOn(checkout.directory),
      `${preamble(checkout.directory)}
       const answers = [];
       for (let index = 0; index < 40; index++) {
         await call({ command: "insert", path: "memory/log.md", insert_line: 0, insert_text: "${name}" + index });
         answers.push(await call({ command: "create", path: "memory/file-" + index, file_text: "${name}" }));
       }
       console.log(JSON.stringify(answers));`,
    ) as Promise<string[]>;
  const [first, second] = await Promise.all([agent("a"), agent("b")]);
  const expected = ["a", "b"].flatMap((name) => Array.from({ length: 40 }, (_, index) => name + index));
  assert.deepEqual(checkout.read("memory/log.md").trimEnd().split("\n").sort(), expected.sort());
  for (let index = 0; index < 40; index++) {
    const made = [first?.[index], second?.[index]].filter((answer) => answer?.startsWith("File created"));
    assert.equal(made.length, 1);
    assert.equal(checkout.read(`memory/file-${index}`), made[0] === first?.[index] ? "a" : "b");
  }
  assert(!fs.existsSync(`${checkout.directory}/memory/.lock`));
});

Deno.test("a reader sees the old text or the new, never a part", async () => {
  using checkout = new Checkout({ "memory/big.md": "a".repeat(1_000_000) });
  const writer = run(
    rightsOn(checkout.directory),
    `${preamble(checkout.directory)}
     for (let index = 0; index < 30; index++) {
       const [old, next] = index % 2 === 0 ? ["a", "b"] : ["b", "a"];
       await call({
         command: "str_replace", path: "memory/big.md", old_str: old.repeat(1000000), new_str: next.repeat(1000000),
       });
     }
     console.log("null");`,
  );
  let done = false;
  writer.finally(() => done = true);
  const seen = new Set<string>();
  while (!done) {
    const text = checkout.read("memory/big.md");
    assert(text === "a".repeat(1_000_000) || text === "b".repeat(1_000_000), `${text.length} characters`);
    seen.add(text[0] ?? "");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await writer;
  assert.equal(checkout.read("memory/big.md")[0], "a");
  assert(seen.size > 0);
});

Deno.test("a process that dies between writing and renaming leaves the old text", async () => {
  const changes = [
    { command: "str_replace", path: "memory/notes.md", old_str: "two", new_str: "2" },
    { command: "insert", path: "memory/notes.md", insert_line: 0, insert_text: "zero" },
    { command: "create", path: "memory/new.md", file_text: "new" },
  ];
  for (const args of changes) {
    using checkout = new Checkout({ "memory/notes.md": "one\ntwo\n" });
    const child = await start(
      ["--allow-all"],
      `${preamble(checkout.directory)}
       fs.renameSync = () => Deno.kill(Deno.pid, "SIGKILL");
       await call(${JSON.stringify(args)});
       console.log("still here");`,
    );
    const { signal, stdout } = await child.output();
    assert.equal(signal, "SIGKILL");
    assert.equal(stdout.length, 0);
    assert.equal(checkout.read("memory/notes.md"), "one\ntwo\n");
    assert(fs.existsSync(`${checkout.directory}/memory/.lock`)); // it had got that far
    assert(!fs.existsSync(`${checkout.directory}/memory/new.md`));

    // The next process does not see what was left, and takes it over once it is old enough: only the first waits.
    if (args !== changes[0]) fs.utimesSync(`${checkout.directory}/memory/.lock`, 0, 0);
    const [listing, answer] = await run(
      rightsOn(checkout.directory),
      `${preamble(checkout.directory)}
       const answers = [await call({ command: "view", path: "memory" }), await call(${JSON.stringify(args)})];
       console.log(JSON.stringify(answers));`,
    ) as string[];
    assert.deepEqual(listing?.split("\n").slice(2), ["8B\tmemory/notes.md"]);
    assert.match(answer ?? "", /edited|created/);
    assert(!fs.existsSync(`${checkout.directory}/memory/.lock`));
  }
});

Deno.test("a folder of 10,000 files is listed whole and in order", async () => {
  using checkout = new Checkout({ "memory/0.md": "" });
  const names = Array.from({ length: 10_000 }, (_, index) => `${index}.md`);
  for (const name of names) fs.writeFileSync(`${checkout.directory}/memory/${name}`, "hello");
  const listing = await run(
    rightsOn(checkout.directory),
    `${preamble(checkout.directory)}
     console.log(JSON.stringify(await call({ command: "view", path: "memory" })));`,
  ) as string;
  assert.deepEqual(listing.split("\n").slice(2), names.sort().map((name) => `5B\tmemory/${name}`));
});
