import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import { dirname } from "node:path";
import { type ToolContext, toolContext } from "../../fixtures/providers/tool_context.ts";
import tool from "./show.ts";

/** A folder with a project in it, beside it a temp folder with outputs of two sessions, and a file of neither. */
class Place implements Disposable {
  readonly root = fs.realpathSync(Deno.makeTempDirSync({ prefix: "beeuni-show-" }));
  readonly project = `${this.root}/project`;
  readonly tmp = `${this.root}/tmp`;
  readonly #tmpdir = os.tmpdir;

  constructor() {
    for (
      const path of [
        "project/beeuni.yaml",
        "project/out/report.pdf",
        "project/beeuni-tool-output/a.txt",
        "tmp/picture.png",
        "tmp/beeuni-tool-output/session-1/web_search-1.txt",
        "tmp/beeuni-tool-output/session-2/web_search-2.txt",
        "tmp/beeuni-tool-output/no-session/web_search-3.txt",
        "secret.txt",
        "project-2/file.txt",
      ]
    ) {
      fs.mkdirSync(dirname(`${this.root}/${path}`), { recursive: true });
      fs.writeFileSync(`${this.root}/${path}`, "x");
    }
    os.tmpdir = () => this.tmp;
  }

  context(given: Partial<ToolContext> = {}): ToolContext {
    return toolContext({ directory: this.project, env: { TMPDIR: this.tmp }, ...given });
  }

  [Symbol.dispose](): void {
    os.tmpdir = this.#tmpdir;
    fs.rmSync(this.root, { recursive: true });
  }
}

/** The one entry of a call, without what differs each time. */
function show(args: Record<string, unknown>, context = toolContext()) {
  const output = tool.execute({ action: "show", ...args }, context);
  assert("entry" in output);
  const { id: _id, timestamp: _timestamp, ...rest } = output.entry;
  return rest;
}

const TYPES = "file, image, url, text, error, video, audio, code, markdown, pdf, html, csv, xlsx, docx, pptx";
const FILES = ["file", "image", "video", "audio", "pdf", "csv", "xlsx", "docx", "pptx"];

Deno.test("a single thing: every field of the output", () => {
  using place = new Place();
  const output = tool.execute({
    action: "show",
    type: "image",
    title: "Sales",
    description: "By month",
    path: "out/report.pdf",
    url: "https://example.com/sales",
    content: "not repeated",
    variant: "detail",
    aspect_ratio: "16:9",
    theme: "info",
    language: "en",
    metadata: { month: 5 },
  }, place.context());
  assert("entry" in output);
  assert.match(output.entry.id, /^[0-9a-f-]{36}$/);
  assert.equal(new Date(output.entry.timestamp).toISOString(), output.entry.timestamp);
  assert.deepEqual(output, {
    success: true,
    action: "show",
    entry: {
      id: output.entry.id,
      timestamp: output.entry.timestamp,
      type: "image",
      variant: "detail",
      title: "Sales",
      description: "By month",
      path: `${place.project}/out/report.pdf`,
      url: "https://example.com/sales",
      aspect_ratio: "16:9",
      theme: "info",
      language: "en",
      metadata: { month: 5 },
    },
    message: 'image "Sales" presented to user.',
  });
  assert(!JSON.stringify(output).includes("not repeated"));
});

Deno.test("the variant follows from the type", () => {
  using place = new Place();
  const variants: Record<string, string[]> = {
    full: ["url", "html", "pdf", "csv", "xlsx", "docx", "pptx"],
    gallery: ["image", "video"],
    detail: ["code", "markdown", "text"],
    compact: ["audio", "file", "error"],
  };
  const args = { path: "out/report.pdf", url: "https://example.com", content: "x" };
  for (const [variant, types] of Object.entries(variants)) {
    for (const type of types) assert.equal(show({ type, ...args }, place.context()).variant, variant, type);
  }
  assert.deepEqual(Object.values(variants).flat().sort(), TYPES.split(", ").sort());
});

Deno.test("what a type needs", () => {
  const needs: Record<string, string[]> = {
    path: FILES,
    url: ["url"],
    content: ["text", "error", "code", "markdown", "html"],
  };
  for (const [argument, types] of Object.entries(needs)) {
    for (const type of types) {
      for (const value of [undefined, null, ""]) {
        assert.throws(() => show({ type, [argument]: value }), {
          message: `'${argument}' is required when type is '${type}'.`,
        });
      }
    }
  }
});

Deno.test("fields that say nothing are left out", () => {
  const empty = { title: "", description: null, path: "", url: "", variant: "", language: "", metadata: "" };
  assert.deepEqual(show({ type: "text", content: "x", ...empty, theme: "default", aspect_ratio: "auto" }), {
    type: "text",
    variant: "detail",
  });
});

Deno.test("values that are none are named with what to use", () => {
  const content = { type: "text", content: "x" };
  const cases: [Record<string, unknown>, string][] = [
    [{}, `'type' is required. Use one of: ${TYPES}`],
    [{ type: "movie" }, `Invalid type 'movie'. Use one of: ${TYPES}`],
    [{ type: "constructor" }, `Invalid type 'constructor'. Use one of: ${TYPES}`],
    [{ ...content, theme: "x" }, "Invalid theme 'x'. Use one of: default, success, warning, info, danger"],
    [{ ...content, variant: "big" }, "Invalid variant 'big'. Use one of: compact, full, gallery, detail"],
    [
      { ...content, aspect_ratio: "2:1" },
      "Invalid aspect_ratio '2:1'. Use one of: auto, 1:1, 16:9, 9:16, 4:3, 3:2, 21:9",
    ],
    [{ ...content, title: 5 }, "'title' must be a string."],
    [{ type: "text", content: { a: 1 } }, "'content' must be a string."],
    [{ type: "url", url: "ftp://x" }, "'url' must be an http or https URL, got: ftp://x"],
    [
      { type: "url", url: "javascript:alert(1)" },
      "'url' must be an http or https URL, got: javascript:alert(1)",
    ],
    [{ type: "url", url: "example.com" }, "'url' must be an http or https URL, got: example.com"],
    [{ ...content, metadata: "[1]" }, "'metadata' must be an object, or the JSON text of one."],
    [{ ...content, metadata: 5 }, "'metadata' must be an object, or the JSON text of one."],
    [{ items: "{}" }, "'items' must be an array of entries, or the JSON text of one."],
  ];
  for (const [args, message] of cases) assert.throws(() => show(args), { message });
  assert.throws(() => show({ ...content, metadata: "{a" }), /^Error: 'metadata' is not valid JSON: /);
  assert.throws(() => show({ items: "[{" }), /^Error: 'items' is not valid JSON: /);
});

Deno.test("action is not checked, metadata may be JSON text", () => {
  assert.deepEqual(show({ action: "present", type: "text", content: "x", metadata: '{"a":{"b":1}}' }), {
    type: "text",
    variant: "detail",
    metadata: { a: { b: 1 } },
  });
});

// ------------------------------------------------------------------------------------------------------- files

Deno.test("files of the project, the temp folder and this session's outputs may be shown", () => {
  using place = new Place();
  const allowed: [string, string, Partial<ToolContext>?][] = [
    ["out/report.pdf", `${place.project}/out/report.pdf`],
    ["./out/../out/report.pdf", `${place.project}/out/report.pdf`],
    [`${place.project}/out/report.pdf`, `${place.project}/out/report.pdf`],
    ["report.pdf", `${place.project}/out/report.pdf`, { directory: `${place.project}/out` }],
    ["../beeuni.yaml", `${place.project}/beeuni.yaml`, { directory: `${place.project}/out` }],
    ["beeuni-tool-output/a.txt", `${place.project}/beeuni-tool-output/a.txt`],
    [`${place.tmp}/picture.png`, `${place.tmp}/picture.png`],
    ["../tmp/picture.png", `${place.tmp}/picture.png`],
    [
      `${place.tmp}/beeuni-tool-output/session-1/web_search-1.txt`,
      `${place.tmp}/beeuni-tool-output/session-1/web_search-1.txt`,
    ],
    [
      `${place.tmp}/beeuni-tool-output/no-session/web_search-3.txt`,
      `${place.tmp}/beeuni-tool-output/no-session/web_search-3.txt`,
      { sessionId: "" },
    ],
  ];
  for (const [path, full, given] of allowed) {
    assert.equal(show({ type: "file", path }, place.context(given)).path, full);
  }
});

Deno.test("not there and not allowed are told apart; nothing is said about what is elsewhere", () => {
  using place = new Place();
  const outside = (path: string) =>
    `File is outside the project: ${path}. Copy it into the project or the temp folder and show the copy.`;
  const missing = (path: string) => `File not found: ${path}`;
  const spill = `${place.tmp}/beeuni-tool-output`;
  const cases: [string, (path: string) => string, Partial<ToolContext>?][] = [
    ["no.pdf", missing],
    ["out/report.pdf/x", missing],
    ["out/\0", missing],
    ["x".repeat(300), missing],
    [`${place.tmp}/no.png`, missing],
    [`${spill}/session-1/no.txt`, missing],
    ["out", (path) => `Not a file: ${path}`],
    [".", (path) => `Not a file: ${path}`],
    [`${spill}/session-1`, (path) => `Not a file: ${path}`],
    [spill, outside],
    ["../secret.txt", outside],
    [`${place.root}/secret.txt`, outside],
    ["../no.txt", outside],
    ["../project-2/file.txt", outside],
    ["/etc/passwd", outside],
    ["/etc/there-is-none", outside],
    [`${spill}/session-2/web_search-2.txt`, outside],
    [`${spill}/session-2/no.txt`, outside],
    [`${spill}/session-1/../session-2/web_search-2.txt`, outside],
    [`${spill}/no-session/web_search-3.txt`, outside],
    [`${spill}/session-2/web_search-2.txt`, outside, { sessionId: "." }],
    [`${spill}/session-2/web_search-2.txt`, outside, { sessionId: "session-1/../session-2" }],
    [`${spill}/session-2/web_search-2.txt`, outside, { sessionId: ".." }],
  ];
  for (const [path, message, given] of cases) {
    assert.throws(() => show({ type: "file", path }, place.context(given)), { message: message(path) }, path);
  }
});

Deno.test("a link that leaves the project is refused, one that stays is followed", () => {
  using place = new Place();
  const link = (target: string, path: string) => fs.symlinkSync(target, `${place.project}/${path}`);
  link("../secret.txt", "secret.txt");
  link("..", "up");
  link("../tmp/beeuni-tool-output/session-2", "other-session");
  link("not-there", "dangling");
  link("loop", "loop");
  link("out/report.pdf", "latest.pdf");
  link("../tmp/picture.png", "picture.png");
  for (
    const path of ["secret.txt", "up/secret.txt", "up/project-2/file.txt", "other-session/web_search-2.txt"]
  ) {
    assert.throws(
      () => show({ type: "file", path }, place.context()),
      /^Error: File is outside the project: /,
      path,
    );
  }
  for (const path of ["dangling", "loop"]) {
    assert.throws(() => show({ type: "file", path }, place.context()), {
      message: `File not found: ${path}`,
    });
  }
  for (const path of ["latest.pdf", "picture.png", "up/project/out/report.pdf"]) {
    assert.equal(show({ type: "file", path }, place.context()).path, `${place.project}/${path}`);
  }
});

Deno.test("a project or a temp folder that is reached through a link works", () => {
  using place = new Place();
  fs.symlinkSync("project", `${place.root}/p`);
  fs.symlinkSync("tmp", `${place.root}/t`);
  const given = { directory: `${place.root}/p`, env: { TMPDIR: `${place.root}/t` } };
  os.tmpdir = () => `${place.root}/t`;
  const spilled = "beeuni-tool-output/session-1/web_search-1.txt";
  for (
    const path of [
      "out/report.pdf",
      `${place.project}/out/report.pdf`,
      `${place.root}/t/${spilled}`,
      `${place.tmp}/${spilled}`,
    ]
  ) {
    assert(show({ type: "file", path }, place.context(given)).path);
  }
  for (const folder of ["t", "tmp"]) {
    const path = `${place.root}/${folder}/beeuni-tool-output/session-2/web_search-2.txt`;
    assert.throws(() => show({ type: "file", path }, place.context(given)), /outside the project/);
  }
});

Deno.test("a path or a url beside what the type needs is checked too", () => {
  using place = new Place();
  assert.throws(() => show({ type: "code", content: "x", path: "no.ts" }, place.context()), {
    message: "File not found: no.ts",
  });
  assert.throws(
    () => show({ type: "code", content: "x", url: "file:///etc" }, place.context()),
    /'url' must be/,
  );
});

// ------------------------------------------------------------------------------------------------------- items

Deno.test("several things: a carousel; the fields of a single thing beside it are ignored", () => {
  using place = new Place();
  const items = [{ type: "pdf", path: "out/report.pdf", title: "May" }, { type: "text", content: "x" }];
  for (const given of [items, JSON.stringify(items)]) {
    const args = {
      action: "show",
      items: given,
      title: "All",
      description: "Of them",
      type: "pdf",
      path: "no.pdf",
      theme: "x",
    };
    const output = tool.execute(args, place.context());
    assert("items" in output);
    assert.deepEqual(output, {
      success: true,
      action: "show",
      title: "All",
      description: "Of them",
      items: [
        {
          id: output.items[0]?.id,
          timestamp: output.items[0]?.timestamp,
          type: "pdf",
          variant: "full",
          title: "May",
          path: `${place.project}/out/report.pdf`,
        },
        { id: output.items[1]?.id, timestamp: output.items[1]?.timestamp, type: "text", variant: "detail" },
      ],
      message: "2 item(s) presented to user as carousel.",
    });
    assert.notEqual(output.items[0]?.id, output.items[1]?.id);
  }
});

Deno.test("a bad item is a warning while one is good, otherwise an error with every reason", () => {
  const bad = [{ type: "movie" }, "text", { type: "pdf" }];
  const reasons = [
    `Item 1: Invalid type 'movie'. Use one of: ${TYPES}`,
    "Item 2: An item must be an object with at least a type.",
    "Item 3: 'path' is required when type is 'pdf'.",
  ];
  const output = tool.execute({ items: [...bad, { type: "text", content: "x" }] }, toolContext());
  assert("items" in output);
  assert.deepEqual(output.warnings, reasons);
  assert.deepEqual(output.items.map((item) => item.type), ["text"]);
  assert.equal(output.message, "1 item(s) presented to user as carousel.");
  assert.throws(() => tool.execute({ items: bad }, toolContext()), {
    message: `None of the items can be shown. ${reasons.join(" ")}`,
  });
});

Deno.test("an empty list of items means the single thing", () => {
  for (const items of [[], "[]", "", null]) {
    assert.equal(show({ items, type: "text", content: "x" }).type, "text");
  }
});
