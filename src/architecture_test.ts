import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import config from "../deno.json" with { type: "json" };

/*
 * The tables of docs/architecture.md are the rules: a room that imports what its row does not name, a folder that has
 * no row and a library that has none fail here. Tests and what only tests use may import anything.
 */

const SRC = import.meta.dirname!;
const PAGE = Deno.readTextFileSync(join(SRC, "../docs/architecture.md"));

/** `import … from "x"`, `import "x"` and `import("x")`; the first group says that only types are imported. */
const IMPORT =
  /^(?:import|export)( type)? (?:[\w$*, ]|\{[^}]*\})+ from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

Deno.test("architecture: each room imports only the rooms of its row", () => {
  const allowed = rows("Room");
  const wrong: string[] = [];
  for (const { file, specifier } of imports()) {
    const target = join(dirname(file), specifier);
    if (!specifier.startsWith(".") || target === "../deno.json") continue;
    const [from, to] = [roomOf(file), roomOf(target)];
    const fine = from !== undefined && to !== undefined && (from === to || allowed.get(from)?.includes(to));
    if (!fine) wrong.push(`src/${file} imports src/${target}`);
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: each library is imported only by the rooms of its row", () => {
  const allowed = rows("Library");
  const wrong: string[] = [];
  for (const { file, specifier } of imports()) {
    const library = Object.keys(config.imports).find((name) => `${specifier}/`.startsWith(`${name}/`));
    const own = specifier.startsWith(".") || specifier.startsWith("node:");
    if (own) continue;
    if (library === undefined || !allowed.get(library)?.includes(roomOf(file) ?? "")) {
      wrong.push(`src/${file} imports ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: what a runner loads stays in the host and has no package", () => {
  const edges = Map.groupBy(imports(), ({ file }) => file);
  const wrong: string[] = [];
  const seen = new Set([...edges.keys()].filter((file) => /^host\/(?:runner|bun)\//.test(file)));
  for (const file of seen) {
    for (const { specifier, types } of edges.get(file) ?? []) {
      if (types) continue;
      const target = join(dirname(file), specifier);
      if (specifier.startsWith(".") && target.startsWith("host/")) seen.add(target);
      else if (!specifier.startsWith("node:")) wrong.push(`src/${file} imports ${specifier}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: the page names every folder of src, and nothing that is not there", () => {
  const folders = [...Deno.readDirSync(SRC)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  assert.deepEqual(
    [...rows("Room").keys()].filter((room) => !room.includes("/")).toSorted(),
    folders.toSorted(),
  );
  for (const [room, targets] of rows("Room")) {
    for (const name of [room, ...targets]) assert.ok(Deno.statSync(join(SRC, name)).isDirectory, name);
  }
});

Deno.test("architecture: the reading of imports finds what there is", () => {
  const found = [...imports()].map(({ file, specifier }) => `${file} ${specifier}`);
  for (
    const known of [
      "cli/program.ts ./define.ts",
      "cli/program.ts ./commands/doctor.ts",
      "cli/commands/daemon.ts ../../daemon/daemon.ts",
      "host/runner/carrier.ts ../protocol.ts",
      "host/runner/contract.ts ./primordials.ts",
      "daemon/app.ts hono",
    ]
  ) assert.ok(found.includes(known), known);
});

/** The rows of the page's table whose first column has this heading: what stands in back quotes, by the first of it. */
function rows(heading: string): Map<string, string[]> {
  const table = PAGE.split("\n\n").find((part) => part.startsWith(`| ${heading} |`)) ?? "";
  const found = new Map<string, string[]>();
  for (const line of table.split("\n").slice(2)) {
    const [, first = "", second = ""] = line.split("|");
    const [name] = quoted(first);
    if (name !== undefined) found.set(name, quoted(second));
  }
  assert.ok(found.size > 0, `docs/architecture.md has no table of ${heading}`);
  return found;
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
}

/** The room of a file, both below src: the innermost folder around it that has a row; `undefined` without one. */
function roomOf(file: string): string | undefined {
  return [...rows("Room").keys()].filter((room) => file.startsWith(`${room}/`)).toSorted().at(-1);
}

interface Import {
  /** The file that imports, below src. */
  file: string;
  specifier: string;
  /** Only types: nothing is loaded. */
  types: boolean;
}

/** Every import below src, but for the tests'. */
function* imports(folder = SRC): Generator<Import> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) {
      if (name !== "testing") yield* imports(path);
      continue;
    }
    if (!/\.[jt]s$/.test(name) || /_test\.ts$|\.d\.ts$/.test(name)) continue;
    const code = Deno.readTextFileSync(path).replaceAll(/^ *(?:\*|\/[/*]).*$/gm, "");
    for (const match of code.matchAll(IMPORT)) {
      const [, type, from, bare, dynamic] = match;
      yield {
        file: relative(SRC, path),
        specifier: from ?? bare ?? dynamic ?? "",
        types: type !== undefined,
      };
    }
  }
}
