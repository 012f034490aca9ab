import assert from "node:assert/strict";
import fs from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { toolContext } from "../../fixtures/providers/tool_context.ts";
import tool from "./memory.ts";
import { fuzz } from "../../tests/support/fuzz.ts";

/** A checkout in a temp folder, with the files given (paths relative to it) and calls of the tool. */
class Checkout implements Disposable {
  readonly directory = fs.realpathSync(Deno.makeTempDirSync({ prefix: "beeuni-memory-" }));

  constructor(files: Record<string, string> = {}) {
    for (const [path, text] of Object.entries(files)) {
      fs.mkdirSync(dirname(`${this.directory}/${path}`), { recursive: true });
      fs.writeFileSync(`${this.directory}/${path}`, text);
    }
  }

  call(args: Record<string, unknown>, signal = new AbortController().signal): Promise<string> {
    return tool.execute(args, toolContext({ directory: this.directory, signal }));
  }

  read(path: string): string {
    return fs.readFileSync(`${this.directory}/${path}`, "utf8");
  }

  /** Every path below the checkout, with a slash after folders. */
  paths(folder = ""): string[] {
    return fs.readdirSync(`${this.directory}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      return entry.isDirectory() ? [`${path}/`, ...this.paths(`${path}/`)] : [path];
    }).sort();
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.directory, { recursive: true });
  }
}

const NOTES = { "memory/notes.md": "one\ntwo\nthree\n" };
const SNIPPET =
  "The memory file has been edited. Here is the snippet showing the change (with line numbers):";

/** Each command with `path` as the path in question; rename twice. */
function everyCommand(path: string): Record<string, unknown>[] {
  return [
    { command: "view", path },
    { command: "create", path, file_text: "x" },
    { command: "str_replace", path, old_str: "two", new_str: "x" },
    { command: "insert", path, insert_line: 0, insert_text: "x" },
    { command: "delete", path },
    { command: "rename", old_path: path, new_path: "memory/free.md" },
    { command: "rename", old_path: "memory/notes.md", new_path: path },
  ];
}

Deno.test("each command: its sentence, and what it does", async () => {
  const cases: [Record<string, unknown>, string, string[], string?][] = [
    [
      { command: "create", path: "memory/a/b.md", file_text: "hi\n" },
      "File created successfully at: memory/a/b.md",
      ["memory/", "memory/a/", "memory/a/b.md", "memory/notes.md"],
    ],
    [
      { command: "create", path: "/memories/empty.md", file_text: "" },
      "File created successfully at: /memories/empty.md",
      ["memory/", "memory/empty.md", "memory/notes.md"],
    ],
    [
      { command: "str_replace", path: "memory/notes.md", old_str: "two", new_str: "2" },
      `${SNIPPET}\n     1\tone\n     2\t2\n     3\tthree`,
      ["memory/", "memory/notes.md"],
      "one\n2\nthree\n",
    ],
    [
      { command: "insert", path: "memory/notes.md", insert_line: 1, insert_text: "one and a half\n" },
      "The file memory/notes.md has been edited.",
      ["memory/", "memory/notes.md"],
      "one\none and a half\ntwo\nthree\n",
    ],
    [{ command: "delete", path: "memory/notes.md" }, "Successfully deleted memory/notes.md", ["memory/"]],
    [
      { command: "rename", old_path: "memory/notes.md", new_path: "memory/old/2026.md" },
      "Successfully renamed memory/notes.md to memory/old/2026.md",
      ["memory/", "memory/old/", "memory/old/2026.md"],
    ],
    [
      { command: "view", path: "memory/notes.md" },
      "Here's the content of memory/notes.md with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree",
      ["memory/", "memory/notes.md"],
      NOTES["memory/notes.md"],
    ],
  ];
  for (const [args, answer, paths, text] of cases) {
    using checkout = new Checkout(NOTES);
    assert.equal(await checkout.call(args), answer);
    assert.deepEqual(checkout.paths(), paths);
    if (text !== undefined) assert.equal(checkout.read("memory/notes.md"), text);
  }
});

Deno.test("each refusal is answered as text and changes nothing", async () => {
  const missing = "memory/no.md";
  const cases: [Record<string, unknown>, string][] = [
    [
      { command: "view", path: missing },
      "The path memory/no.md does not exist. Please provide a valid path.",
    ],
    [
      { command: "view", path: "memory/notes.md/x" },
      "The path memory/notes.md/x does not exist. Please provide a valid path.",
    ],
    [
      { command: "create", path: "memory/notes.md", file_text: "x" },
      "Error: File memory/notes.md already exists",
    ],
    [
      { command: "create", path: "/memories/notes.md/", file_text: "x" },
      "Error: File /memories/notes.md/ already exists",
    ],
    [{ command: "create", path: "memory/dir", file_text: "x" }, "Error: File memory/dir already exists"],
    [{ command: "create", path: "memory", file_text: "x" }, "Error: File memory already exists"],
    [
      { command: "create", path: "memory/notes.md/x", file_text: "x" },
      "Error: Path memory/notes.md/x goes through a file, not a folder",
    ],
    [
      { command: "str_replace", path: "memory/notes.md", old_str: "four", new_str: "x" },
      "No replacement was performed, old_str `four` did not appear verbatim in memory/notes.md.",
    ],
    [
      { command: "str_replace", path: "memory/notes.md", old_str: "e\n\nt", new_str: "x" },
      "No replacement was performed, old_str `e\n\nt` did not appear verbatim in memory/notes.md.",
    ],
    [
      { command: "str_replace", path: "memory/notes.md", old_str: "o", new_str: "x" },
      "No replacement was performed. Multiple occurrences of old_str `o` in lines: 1, 2. Please ensure it is unique",
    ],
    [
      { command: "str_replace", path: missing, old_str: "o", new_str: "x" },
      "Error: The path memory/no.md does not exist. Please provide a valid path.",
    ],
    [
      { command: "str_replace", path: "memory/dir", old_str: "o", new_str: "x" },
      "Error: The path memory/dir does not exist. Please provide a valid path.",
    ],
    [
      { command: "insert", path: missing, insert_line: 0, insert_text: "x" },
      "Error: The path memory/no.md does not exist. Please provide a valid path.",
    ],
    ...[4, -1, 1.5, "four", true].map((line): [Record<string, unknown>, string] => [
      { command: "insert", path: "memory/notes.md", insert_line: line, insert_text: "x" },
      `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, 3]`,
    ]),
    [{ command: "delete", path: missing }, "Error: The path memory/no.md does not exist"],
    [
      { command: "rename", old_path: missing, new_path: "memory/x.md" },
      "Error: The path memory/no.md does not exist",
    ],
    [
      { command: "rename", old_path: "memory/notes.md", new_path: "memory/dir" },
      "Error: The destination memory/dir already exists",
    ],
    [
      { command: "rename", old_path: "memory/notes.md", new_path: "memory/notes.md" },
      "Error: The destination memory/notes.md already exists",
    ],
    [
      { command: "rename", old_path: "memory/notes.md", new_path: "/memories" },
      "Error: The destination /memories already exists",
    ],
    [
      { command: "rename", old_path: "memory/dir", new_path: "memory/dir/in/it" },
      "Error: Cannot move memory/dir into itself",
    ],
    [
      { command: "rename", old_path: "memory/dir", new_path: "memory/notes.md/x" },
      "Error: Path memory/notes.md/x goes through a file, not a folder",
    ],
    [
      { command: "forget" },
      "Error: Unknown command `forget`. Use one of: view, create, str_replace, insert, delete, rename",
    ],
    [{}, "Error: Unknown command ``. Use one of: view, create, str_replace, insert, delete, rename"],
    [
      { command: "constructor" },
      "Error: Unknown command `constructor`. Use one of: view, create, str_replace, insert, delete, rename",
    ],
  ];
  for (const [args, answer] of cases) {
    using checkout = new Checkout({ ...NOTES, "memory/dir/x.md": "x" });
    assert.equal(await checkout.call(args), answer);
    assert.deepEqual(checkout.paths(), ["memory/", "memory/dir/", "memory/dir/x.md", "memory/notes.md"]);
    assert.equal(checkout.read("memory/notes.md"), "one\ntwo\nthree\n");
  }
});

Deno.test("a name that is too long is refused without the path on disk", async () => {
  using checkout = new Checkout(NOTES);
  const before = checkout.paths();
  for (const path of [`memory/${"x".repeat(300)}`, `memory/${"d/".repeat(2500)}x`]) {
    for (const args of everyCommand(path)) {
      const answer = await checkout.call(args);
      assert(answer.startsWith("Error: ") || answer.startsWith("The path "), answer);
      assert(!answer.includes(checkout.directory), answer);
    }
  }
  assert.deepEqual(checkout.paths(), before);
});

Deno.test("a text argument that is an object is refused, not written as [object Object]", async () => {
  using checkout = new Checkout(NOTES);
  const edits: [Record<string, unknown>, string][] = [
    [{ command: "create", path: "memory/new.md", file_text: { a: 1 } }, "file_text"],
    [{ command: "str_replace", path: "memory/notes.md", old_str: ["two"], new_str: "" }, "old_str"],
    [{ command: "str_replace", path: "memory/notes.md", old_str: "two", new_str: {} }, "new_str"],
    [{ command: "insert", path: "memory/notes.md", insert_line: 0, insert_text: [] }, "insert_text"],
    [{ command: "view", path: ["memory"] }, "path"],
  ];
  for (const [args, name] of edits) {
    assert.equal(await checkout.call(args), `Error: \`${name}\` must be a string.`);
  }
  assert.equal(checkout.read("memory/notes.md"), NOTES["memory/notes.md"]);
  assert.deepEqual(checkout.paths(), ["memory/", "memory/notes.md"]);
});

Deno.test("a missing argument is named", async () => {
  const complete: Record<string, Record<string, unknown>> = {
    view: { path: "memory" },
    create: { path: "memory/a.md", file_text: "" },
    str_replace: { path: "memory/notes.md", old_str: "two" },
    insert: { path: "memory/notes.md", insert_line: 0, insert_text: "" },
    delete: { path: "memory/notes.md" },
    rename: { old_path: "memory/notes.md", new_path: "memory/b.md" },
  };
  using checkout = new Checkout(NOTES);
  for (const [command, args] of Object.entries(complete)) {
    for (const name of Object.keys(args)) {
      const none = ["file_text", "insert_text"].includes(name) ? [undefined, null] : [undefined, null, ""];
      for (const value of none) {
        assert.equal(
          await checkout.call({ command, ...args, [name]: value }),
          `Error: \`${name}\` is required for ${command}.`,
        );
      }
    }
  }
  assert.deepEqual(checkout.paths(), ["memory/", "memory/notes.md"]);
});

Deno.test("every spelling of the root means the same folder, and is echoed as given", async () => {
  const roots = [
    "memory",
    "/memories",
    "memories",
    "./memory",
    "/memory",
    "./memories",
    ".//memory",
    "//memories",
    "././memory",
  ];
  for (const root of roots) {
    using checkout = new Checkout();
    assert.equal(
      await checkout.call({ command: "create", path: `${root}/./a//b.md`, file_text: "x" }),
      `File created successfully at: ${root}/./a//b.md`,
    );
    assert.equal(checkout.read("memory/a/b.md"), "x");
    for (const end of ["", "/", "//", "/."]) {
      const answer = await checkout.call({ command: "view", path: root + end });
      assert(
        answer.startsWith(`Here're the files and directories up to 2 levels deep in ${root}${end}, `),
        answer,
      );
    }
  }
});

Deno.test("a path that does not start with the root is refused", async () => {
  const others = [
    "/",
    ".",
    "./",
    "notes.md",
    "memoryx",
    "memory.md",
    "/memoriesx/a",
    "Memory/a",
    "/etc/passwd",
    "../memory/a",
    " memory",
    "memory\\a",
    "~/memory",
  ];
  for (const path of others) {
    using checkout = new Checkout(NOTES);
    for (const args of everyCommand(path)) {
      assert.equal(await checkout.call(args), `Error: Path must start with memory, got: ${path}`);
    }
    assert.deepEqual(checkout.paths(), ["memory/", "memory/notes.md"]);
  }
});

Deno.test("a path with .. is refused, wherever it leads", async () => {
  const paths = [
    "memory/..",
    "memory/../secret.txt",
    "/memories/../../etc/passwd",
    "memory/a/../notes.md",
    "memory/x/..",
    "memory/a/../../memory/notes.md",
    "memory/..\\..\\secret.txt",
    "memory/notes.md\0.txt",
  ];
  for (const path of paths) {
    using checkout = new Checkout({ ...NOTES, "secret.txt": "two" });
    for (const args of everyCommand(path)) {
      assert.equal(await checkout.call(args), `Error: Path ${path} would escape memory directory`);
    }
    assert.deepEqual(checkout.paths(), ["memory/", "memory/notes.md", "secret.txt"]);
    assert.equal(checkout.read("secret.txt"), "two");
  }
});

Deno.test("names with dots in them are names", async () => {
  using checkout = new Checkout();
  for (const name of ["...", "a..b", "..a", "%2e%2e"]) {
    assert.equal(
      await checkout.call({ command: "create", path: `memory/${name}`, file_text: "x" }),
      `File created successfully at: memory/${name}`,
    );
    assert.equal(checkout.read(`memory/${name}`), "x");
  }
});

Deno.test("a link is neither followed nor listed nor changed", async () => {
  const links: [string, string, string[]][] = [
    ["memory/link.md", "../secret.txt", ["memory/link.md"]],
    ["memory/link", "..", [
      "memory/link",
      "memory/link/secret.txt",
      "memory/link/new.md",
      "memory/link/a/b.md",
    ]],
    ["memory/link.md", "notes.md", ["memory/link.md"]],
    ["memory/dangling.md", "../not-there.txt", ["memory/dangling.md"]],
    ["memory/loop", "loop", ["memory/loop", "memory/loop/x"]],
  ];
  for (const [link, target, paths] of links) {
    using checkout = new Checkout({ ...NOTES, "secret.txt": "two" });
    fs.symlinkSync(target, `${checkout.directory}/${link}`);
    for (const path of paths) {
      for (const args of everyCommand(path)) {
        assert.equal(await checkout.call(args), `Error: Path ${path} would escape memory directory`);
      }
    }
    assert.deepEqual(checkout.paths(), [link, "memory/", "memory/notes.md", "secret.txt"].sort());
    assert.equal(checkout.read("secret.txt"), "two");
    assert(!(await checkout.call({ command: "view", path: "memory" })).includes("lin"));
  }
});

Deno.test("a memory folder that is itself a link is refused", async () => {
  using checkout = new Checkout({ "elsewhere/notes.md": "two" });
  fs.symlinkSync("elsewhere", `${checkout.directory}/memory`);
  for (const path of ["memory", "memory/notes.md", "/memories/new.md"]) {
    for (const args of everyCommand(path).slice(0, 6)) {
      assert.equal(await checkout.call(args), `Error: Path ${path} would escape memory directory`);
    }
  }
  assert.deepEqual(checkout.paths(), ["elsewhere/", "elsewhere/notes.md", "memory"]);
});

Deno.test("a folder with links in it is deleted without what they lead to", async () => {
  using checkout = new Checkout({ "memory/old/a.md": "a", "secret/b.txt": "b" });
  fs.symlinkSync("../../secret", `${checkout.directory}/memory/old/link`);
  assert.equal(
    await checkout.call({ command: "delete", path: "memory/old" }),
    "Successfully deleted memory/old",
  );
  assert.deepEqual(checkout.paths(), ["memory/", "secret/", "secret/b.txt"]);
});

Deno.test("a checkout that is reached through a link works", async () => {
  using checkout = new Checkout(NOTES);
  using other = new Checkout();
  fs.symlinkSync(checkout.directory, `${other.directory}/link`);
  const context = toolContext({ directory: `${other.directory}/link` });
  const args = { command: "str_replace", path: "memory/notes.md", old_str: "two", new_str: "2" };
  assert((await tool.execute(args, context)).startsWith(SNIPPET));
  assert.equal(checkout.read("memory/notes.md"), "one\n2\nthree\n");
});

Deno.test("the root can't be deleted or renamed in any spelling", async () => {
  const spellings = [
    "memory",
    "memory/",
    "memory/.",
    "memory//",
    "memory/./",
    "/memories",
    "./memory/",
    "memories/.",
    "/memory//.",
  ];
  for (const files of [NOTES, {}]) {
    using checkout = new Checkout(files);
    const before = checkout.paths();
    for (const path of spellings) {
      assert.equal(
        await checkout.call({ command: "delete", path }),
        "Cannot delete the memory directory itself",
      );
      assert.equal(
        await checkout.call({ command: "rename", old_path: path, new_path: "memory/x" }),
        "Error: Cannot rename the memory directory itself",
      );
    }
    assert.deepEqual(checkout.paths(), before);
  }
});

// ------------------------------------------------------------------------------------------------------- view

Deno.test("view of a folder: two levels, sizes, no hidden names, no node_modules", async () => {
  using checkout = new Checkout({
    "memory/b.md": "x".repeat(1536),
    "memory/a/c.md": "",
    "memory/a/deep/d.md": "not listed",
    "memory/a/.hidden": "x",
    "memory/.git/config": "x",
    "memory/node_modules/p/index.js": "x",
    "memory/a/node_modules/p.js": "x",
    "memory/B.md": "x".repeat(512),
    "other.md": "x",
  });
  const size = (path: string) => {
    const bytes = fs.statSync(`${checkout.directory}/${path}`).size; // depends on the file system
    return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}K`;
  };
  for (const [path, shown] of [["memory", "memory"], ["/memories/", "/memories"]]) {
    assert.equal(
      await checkout.call({ command: "view", path }),
      [
        `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
        `${size("memory")}\t${path}`,
        `512B\t${shown}/B.md`,
        `${size("memory/a")}\t${shown}/a/`,
        `0B\t${shown}/a/c.md`,
        `${size("memory/a/deep")}\t${shown}/a/deep/`,
        `1.5K\t${shown}/b.md`,
      ].join("\n"),
    );
  }
  const below = await checkout.call({ command: "view", path: "memory/a" });
  assert(below.includes("\n10B\tmemory/a/deep/d.md"), below);
});

Deno.test("sizes for people", async () => {
  const sizes: [number, string][] = [
    [0, "0B"],
    [1023, "1023B"],
    [1024, "1.0K"],
    [4096, "4.0K"],
    [10 * 1024, "10.0K"],
    [1024 * 1024 - 1, "1.0M"],
    [5.5 * 1024 * 1024, "5.5M"],
  ];
  using checkout = new Checkout({ "memory/size.md": "" });
  for (const [bytes, shown] of sizes) {
    fs.truncateSync(`${checkout.directory}/memory/size.md`, bytes);
    const listing = await checkout.call({ command: "view", path: "memory" });
    assert.equal(listing.split("\n").at(-1), `${shown}\tmemory/size.md`);
  }
});

Deno.test("a view creates nothing", async () => {
  using checkout = new Checkout();
  for (const path of ["memory", "/memories", "memory/a.md", "memory/a/b/"]) {
    assert.equal(
      await checkout.call({ command: "view", path }),
      `The path ${path} does not exist. Please provide a valid path.`,
    );
  }
  assert.deepEqual(checkout.paths(), []);
});

Deno.test("what neither changes nor exists creates nothing either", async () => {
  using checkout = new Checkout();
  const path = "memory/a.md";
  for (const args of everyCommand(path).filter((args) => args.command !== "create")) {
    await checkout.call(args);
  }
  assert.deepEqual(checkout.paths(), []);
});

Deno.test("view of a file: numbers, endings, ranges", async () => {
  const head = "Here's the content of memory/f with line numbers:";
  const cases: [string, unknown, string[]][] = [
    ["", undefined, []],
    ["\n", undefined, ["     1\t"]],
    ["a", undefined, ["     1\ta"]],
    ["a\n\nb\n", undefined, ["     1\ta", "     2\t", "     3\tb"]],
    ["a\r\nb\r\n", undefined, ["     1\ta", "     2\tb"]],
    ["a\tb\n", undefined, ["     1\ta\tb"]],
    ["a\nb\nc\n", [2, 3], ["     2\tb", "     3\tc"]],
    ["a\nb\nc\n", [2, -1], ["     2\tb", "     3\tc"]],
    ["a\nb\nc\n", ["1", "2"], ["     1\ta", "     2\tb"]],
    ["a\nb\nc\n", "[3, 3]", ["     3\tc"]],
    ["a\nb\nc\n", [0, 1], ["     1\ta"]],
    ["a\nb\nc\n", [2, 99], ["     2\tb", "     3\tc"]],
    ["a\nb\nc\n", [3, 2], []],
    ["a\nb\nc\n", [4, 9], []],
    ["a\n", "all", ["     1\ta"]],
    ["a\n", [1], ["     1\ta"]],
    ["a\nb\nc\n", [1.5, 2.9], ["     1\ta", "     2\tb"]],
  ];
  for (const [text, view_range, lines] of cases) {
    using checkout = new Checkout({ "memory/f": text });
    assert.equal(
      await checkout.call({ command: "view", path: "memory/f", view_range }),
      [head, ...lines].join("\n"),
      JSON.stringify([text, view_range]),
    );
  }
});

Deno.test("view of a file with more than 999,999 lines is refused", async () => {
  using checkout = new Checkout({ "memory/f": "\n".repeat(999_999) });
  assert((await checkout.call({ command: "view", path: "memory/f" })).endsWith("\n999999\t"));
  fs.appendFileSync(`${checkout.directory}/memory/f`, "x");
  assert.equal(
    await checkout.call({ command: "view", path: "memory/f" }),
    "File memory/f has too many lines (1000000). Maximum is 999,999 lines.",
  );
});

// ------------------------------------------------------------------------------------------------ str_replace

Deno.test("str_replace: the text as it is, line endings kept, the snippet", async () => {
  const cases: [string, string, string | undefined, string, string[]][] = [
    ["a $ b\n", "$", "$& $$ $1 $` $'", "a $& $$ $1 $` $' b\n", ["     1\ta $& $$ $1 $` $' b"]],
    ["a.c\nabc\n", "a.c", "x", "x\nabc\n", ["     1\tx", "     2\tabc"]],
    ["one\ntwo\nthree\n", "one\ntwo", "1", "1\nthree\n", ["     1\t1", "     2\tthree"]],
    ["one\ntwo\n", "two\n", undefined, "one\n", ["     1\tone"]],
    ["one\ntwo", "two", "", "one\n", ["     1\tone"]],
    ["x", "x", undefined, "", []],
    ["1\n2\n3\n4\n5\n6\n7\n", "4", "four\nfour and a half", "1\n2\n3\nfour\nfour and a half\n5\n6\n7\n", [
      "     2\t2",
      "     3\t3",
      "     4\tfour",
      "     5\tfour and a half",
      "     6\t5",
      "     7\t6",
    ]],
    ["1\n2\n3\n4\n5\n", "2\n", "two\n", "1\ntwo\n3\n4\n5\n", [
      "     1\t1",
      "     2\ttwo",
      "     3\t3",
      "     4\t4",
    ]],
    ["a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n", ["     1\tx", "     2\ty", "     3\tc"]],
    ["a\r\nb\r\nc\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\nc\r\n", ["     1\tx", "     2\ty", "     3\tc"]],
    ["a\r\nb", "\n", " ", "a b", ["     1\ta b"]],
    ["a\nb\nc\n", "b", "x\r\ny", "a\nx\ny\nc\n", ["     1\ta", "     2\tx", "     3\ty", "     4\tc"]],
    ["a\r\nb\nc\r\nd\r\n", "b\nc", "x\ny", "a\r\nx\r\ny\r\nd\r\n", [
      "     1\ta",
      "     2\tx",
      "     3\ty",
      "     4\td",
    ]],
    ["\ufeffa\n", "a", "b", "\ufeffb\n", ["     1\t\ufeffb"]],
    ["Zoë 🦊\n", "🦊", "🐺", "Zoë 🐺\n", ["     1\tZoë 🐺"]],
  ];
  for (const [before, old_str, new_str, after, lines] of cases) {
    using checkout = new Checkout({ "memory/f": before });
    assert.equal(
      await checkout.call({ command: "str_replace", path: "memory/f", old_str, new_str }),
      [SNIPPET, ...lines].join("\n"),
      JSON.stringify(before),
    );
    assert.equal(checkout.read("memory/f"), after, JSON.stringify(before));
  }
});

Deno.test("str_replace: occurrences are counted as occurrences", async () => {
  const cases: [string, string, string][] = [
    ["x\na a\n", "a", "2, 2"],
    ["a\nb\nb\na\n", "a", "1, 4"],
    ["a\nb\na\nb\n", "a\nb", "1, 3"],
    ["a\r\nb\r\na\r\nb\r\n", "a\nb", "1, 3"],
    ["aaa\n", "aa", "1, 1"],
    ["a\n\n\nb\n", "\n", "1, 2, 3, 4"],
  ];
  for (const [text, old_str, lines] of cases) {
    using checkout = new Checkout({ "memory/f": text });
    assert.equal(
      await checkout.call({ command: "str_replace", path: "memory/f", old_str, new_str: "z" }),
      `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${lines}. ` +
        "Please ensure it is unique",
    );
    assert.equal(checkout.read("memory/f"), text);
  }
});

Deno.test("str_replace: a line is searched once however often the text occurs in it", async () => {
  using checkout = new Checkout({ "memory/f": `b\n${"a".repeat(1_000)}` });
  const indexOf = String.prototype.indexOf;
  let searches = 0;
  String.prototype.indexOf = function (this: string, wanted: string, from?: number) {
    if (wanted === "\n") searches++;
    return indexOf.call(this, wanted, from);
  };
  try {
    assert.equal(
      await checkout.call({ command: "str_replace", path: "memory/f", old_str: "a", new_str: "b" }),
      `No replacement was performed. Multiple occurrences of old_str \`a\` in lines: ${
        Array(1_000).fill(2).join(", ")
      }. Please ensure it is unique`,
    );
  } finally {
    String.prototype.indexOf = indexOf;
  }
  assert(searches <= 2, `${searches} searches for two lines`);
});

Deno.test("str_replace: all but the replaced text stays byte for byte, whatever the endings are", async () => {
  const line = fc.constantFrom("", "a", "b c", "$&", "🦊", "\t");
  const ending = fc.constantFrom("\n", "\r\n");
  const text = fc.array(fc.tuple(line, ending), { maxLength: 6 }).map((lines) => lines.flat().join(""));
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(ending, { minLength: 1, maxLength: 4 }),
      text,
      async (before, endings, after) => {
        const old = endings.map((end, index) => `<${index}>${end}`).join("") + "<end>";
        using checkout = new Checkout({ "memory/f": before + old + after });
        const args = {
          command: "str_replace",
          path: "memory/f",
          old_str: old.replaceAll("\r\n", "\n"),
          new_str: "NEW",
        };
        assert((await checkout.call(args)).startsWith(SNIPPET));
        assert.equal(checkout.read("memory/f"), `${before}NEW${after}`);
      },
    ),
    fuzz(200),
  );
});

Deno.test("a file that is not UTF-8 is shown but not edited", async () => {
  using checkout = new Checkout({ "memory/f": "" });
  const bytes = new Uint8Array([0x61, 0xff, 0x0a]);
  fs.writeFileSync(`${checkout.directory}/memory/f`, bytes);
  assert((await checkout.call({ command: "view", path: "memory/f" })).endsWith("     1\ta\ufffd"));
  const message = "memory/f is not UTF-8 text, so it can't be edited.";
  await assert.rejects(
    checkout.call({ command: "str_replace", path: "memory/f", old_str: "a", new_str: "b" }),
    { message },
  );
  await assert.rejects(
    checkout.call({ command: "insert", path: "memory/f", insert_line: 0, insert_text: "b" }),
    { message },
  );
  assert.deepEqual(new Uint8Array(fs.readFileSync(`${checkout.directory}/memory/f`)), bytes);
  assert.deepEqual(checkout.paths(), ["memory/", "memory/f"]);
});

// ----------------------------------------------------------------------------------------------------- insert

Deno.test("insert: where, and with which endings", async () => {
  const cases: [string, unknown, string, string][] = [
    ["a\nb\n", 0, "x", "x\na\nb\n"],
    ["a\nb\n", 1, "x\n", "a\nx\nb\n"],
    ["a\nb\n", 2, "x", "a\nb\nx\n"],
    ["a\nb\n", "2", "x\n", "a\nb\nx\n"],
    ["a\nb", 2, "x", "a\nb\nx"],
    ["a\nb", 2, "x\n", "a\nb\nx"],
    ["a\nb", 1, "x", "a\nx\nb"],
    ["a\nb\n", 1, "x\ny\n", "a\nx\ny\nb\n"],
    ["a\nb\n", 1, "", "a\n\nb\n"],
    ["a\nb\n", 1, "\n", "a\n\nb\n"],
    ["a\nb\n", 1, "x\n\n", "a\nx\n\nb\n"],
    ["a\nb\n", 1, "$& $$", "a\n$& $$\nb\n"],
    ["a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"],
    ["a\r\nb", 2, "x", "a\r\nb\r\nx"],
    ["a\nb\n", 1, "x\r\ny", "a\nx\ny\nb\n"],
    ["a\r\nb\nc\r\n", 1, "x", "a\r\nx\r\nb\nc\r\n"],
    ["", 0, "x", "x"],
    ["", 0, "x\n", "x\n"],
    ["\ufeffa\n", 0, "x", "\ufeffx\na\n"],
    ["\ufeffa\n", 1, "x", "\ufeffa\nx\n"],
    ["\ufeff", 0, "x\n", "\ufeffx\n"],
  ];
  for (const [before, insert_line, insert_text, after] of cases) {
    using checkout = new Checkout({ "memory/f": before });
    assert.equal(
      await checkout.call({ command: "insert", path: "memory/f", insert_line, insert_text }),
      "The file memory/f has been edited.",
    );
    assert.equal(checkout.read("memory/f"), after, JSON.stringify([before, insert_line, insert_text]));
  }
});

// ---------------------------------------------------------------------------------------------------- writing

Deno.test("files are 0600 and folders 0700, also after an edit of a file that was not", async () => {
  using checkout = new Checkout();
  const mode = (path: string) => (fs.statSync(`${checkout.directory}/${path}`).mode & 0o777).toString(8);
  await checkout.call({ command: "create", path: "memory/a/b/c.md", file_text: "one\n" });
  assert.deepEqual(["memory", "memory/a", "memory/a/b", "memory/a/b/c.md"].map(mode), [
    "700",
    "700",
    "700",
    "600",
  ]);
  await checkout.call({ command: "rename", old_path: "memory/a/b/c.md", new_path: "memory/d/c.md" });
  assert.deepEqual(["memory/d", "memory/d/c.md"].map(mode), ["700", "600"]);
  fs.chmodSync(`${checkout.directory}/memory/d/c.md`, 0o644);
  await checkout.call({ command: "str_replace", path: "memory/d/c.md", old_str: "one", new_str: "two" });
  assert.equal(mode("memory/d/c.md"), "600");
});

Deno.test("a write that fails leaves the old text and nothing else", async () => {
  using checkout = new Checkout(NOTES);
  const { fsyncSync } = fs;
  fs.fsyncSync = () => {
    throw Object.assign(new Error("ENOSPC: no space left on device, fsync"), { code: "ENOSPC" });
  };
  try {
    for (
      const args of everyCommand("memory/notes.md").slice(2, 4).concat({
        command: "create",
        path: "memory/x.md",
        file_text: "x",
      })
    ) {
      await assert.rejects(checkout.call(args), /ENOSPC/);
    }
  } finally {
    fs.fsyncSync = fsyncSync;
  }
  assert.deepEqual(checkout.paths(), ["memory/", "memory/notes.md"]);
  assert.equal(checkout.read("memory/notes.md"), NOTES["memory/notes.md"]);
});

Deno.test("a change waits for another one in progress, and ends at once when it is aborted", async () => {
  using checkout = new Checkout(NOTES);
  const lock = `${checkout.directory}/memory/.lock`;
  const args = { command: "str_replace", path: "memory/notes.md", old_str: "two", new_str: "2" };

  fs.writeFileSync(lock, "being written by another agent");
  const abort = new AbortController();
  const aborted = checkout.call(args, abort.signal);
  setTimeout(() => abort.abort(), 30);
  await assert.rejects(aborted, { name: "AbortError" });
  assert.equal(checkout.read("memory/notes.md"), NOTES["memory/notes.md"]);
  assert.equal(checkout.read("memory/.lock"), "being written by another agent");

  const waiting = checkout.call(args);
  setTimeout(() => fs.rmSync(lock), 30);
  assert((await waiting).startsWith(SNIPPET));
  assert.equal(checkout.read("memory/notes.md"), "one\n2\nthree\n");
});

Deno.test("what a dead process left behind is hidden, and taken over", async () => {
  using checkout = new Checkout({ ...NOTES, "memory/.lock": "half a te" });
  const old = new Date(Date.now() - 60_000);
  fs.utimesSync(`${checkout.directory}/memory/.lock`, old, old);
  assert(!(await checkout.call({ command: "view", path: "memory" })).includes("lock"));
  const args = { command: "str_replace", path: "memory/notes.md", old_str: "two", new_str: "2" };
  assert((await checkout.call(args)).startsWith(SNIPPET));
  assert.equal(checkout.read("memory/notes.md"), "one\n2\nthree\n");
  assert.deepEqual(checkout.paths(), ["memory/", "memory/notes.md"]);
});

Deno.test("a lock from the future is one that was left behind", async () => {
  using checkout = new Checkout({ ...NOTES, "memory/.lock": "" });
  const far = new Date(Date.now() + 1_000_000_000);
  fs.utimesSync(`${checkout.directory}/memory/.lock`, far, far);
  const args = { command: "delete", path: "memory/notes.md" };
  assert.equal(
    await checkout.call(args, AbortSignal.timeout(20_000)),
    "Successfully deleted memory/notes.md",
  );
});

Deno.test("a folder in place of the lock is named and left as it is", async () => {
  using checkout = new Checkout({ ...NOTES, "memory/.lock/mine.md": "" });
  fs.utimesSync(`${checkout.directory}/memory/.lock`, 1, 1);
  const before = checkout.paths();
  assert.equal(
    await checkout.call({ command: "delete", path: "memory/notes.md" }),
    "Error: memory/.lock must not be a folder: move it elsewhere.",
  );
  assert.deepEqual(checkout.paths(), before);
});

Deno.test("many changes at once in one process all happen", async () => {
  using checkout = new Checkout({ "memory/log.md": "" });
  await Promise.all(
    Array.from(
      { length: 50 },
      (_, index) =>
        checkout.call({
          command: "insert",
          path: "memory/log.md",
          insert_line: 0,
          insert_text: `${index}\n`,
        }),
    ),
  );
  const lines = checkout.read("memory/log.md").trimEnd().split("\n").map(Number).sort((a, b) => a - b);
  assert.deepEqual(lines, Array.from({ length: 50 }, (_, index) => index));
});
