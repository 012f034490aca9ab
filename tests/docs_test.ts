import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import config from "../deno.json" with { type: "json" };
import { createProgram } from "../src/cli/program.ts";
import { readMarkdown } from "./support/markdown.ts";

// What the pages name is there: files, headings, commands with their options, tasks.

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGES = [
  "README.md",
  "CHANGELOG.md",
  ...[...Deno.readDirSync(join(ROOT, "docs"))].map(({ name }) => `docs/${name}`)
    .filter((page) => page.endsWith(".md")).sort(),
];
const PROGRAM = createProgram(() => Promise.resolve());

function page(path: string) {
  return readMarkdown(Deno.readTextFileSync(join(ROOT, path)));
}

/** The commands that do something, as they are typed behind `beeuni`. */
function everyCommand(command: Command, path: readonly string[] = []): string[] {
  const inner = command.commands.flatMap((child) => everyCommand(child, [...path, child.name()]));
  // Those that only group others have no arguments, options of their own or action.
  const isGroup = inner.length > 0 && !command.options.some(({ long }) => long === "--json");
  return path.length === 0 || isGroup ? inner : [path.join(" "), ...inner];
}

/**
 * What is wrong with a command line as it stands in a text; `undefined` when nothing is. Of the arguments only those
 * are looked at that have to be one of several words.
 */
function fault(line: string): string | undefined {
  const words = line.split(/\s+/).slice(1);
  let command = PROGRAM;
  let rest = words.length;
  for (const [index, word] of words.entries()) {
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
    if (next === undefined) {
      rest = index;
      break;
    }
    command = next;
  }
  const options = new Set(
    [...command.options, ...PROGRAM.options].flatMap(({ long, short }) => [long, short]),
  );
  for (const word of words.slice(rest)) {
    const flag = /^\[?(--?[a-z][a-z-]*)/.exec(word)?.[1];
    if (flag !== undefined && !options.has(flag) && flag !== "--help") return `no option ${flag}`;
  }
  const first = words[rest];
  const isArgument = command.registeredArguments.length > 0;
  if (first !== undefined && !/^[[-]|…/.test(first) && !isArgument) return `no command ${first}`;
  const choices = command.registeredArguments[0]?.argChoices;
  if (choices !== undefined && first !== undefined && !/[[|]/.test(first) && !choices.includes(first)) {
    return `no choice ${first}`;
  }
}

Deno.test("every link of the pages leads to a file and a heading that are there", () => {
  let links = 0;
  for (const path of PAGES) {
    for (const link of page(path).links) {
      if (/^https?:/.test(link)) continue;
      links++;
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : relative(ROOT, join(ROOT, dirname(path), file));
      assert.ok(Deno.statSync(join(ROOT, target)), link);
      if (anchor === undefined) continue;
      assert.ok(page(target).anchors.has(anchor), `${path}: ${link}: no such heading`);
    }
  }
  assert.ok(links > 10);
});

Deno.test("every command that the pages name is one, with these options", () => {
  for (
    const wrong of ["lst", "tools lst", "sessions id", "tools ls --jsn", "completions tcsh", "version it"]
  ) {
    assert.notEqual(fault(`beeuni ${wrong}`), undefined, wrong);
  }
  const faults: string[] = [];
  let lines = 0;
  for (const path of PAGES) {
    const { spans, blocks } = page(path);
    const scripts = blocks.filter(({ language }) => language === "bash").flatMap(({ text }) =>
      text.split("\n")
    );
    const commands = [...spans, ...scripts].map((text) => text.replace(/ +# .*$/, ""))
      // Not what `beeuni: …` says, and only up to what a shell does with the output.
      .flatMap((text) => /(?<![\w/])beeuni (?=[a-z-])(?!tools$)[^|<>&;)"']+/.exec(text)?.[0] ?? []);
    lines += commands.length;
    for (const command of commands) {
      const wrong = fault(command.trim());
      if (wrong !== undefined) faults.push(`${path}: ${command}: ${wrong}`);
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(lines > 50);
});

Deno.test("the README's table has every command, and no other", () => {
  const rows = page("README.md").rows;
  const start = rows.findIndex(([head]) => head === "Command") + 2;
  const table: string[][] = [];
  for (const row of rows.slice(start)) {
    if (!row[0]?.startsWith("`beeuni ")) break;
    table.push(row);
  }
  const all = everyCommand(PROGRAM);
  const named = table.flatMap(([first = "", second = ""]) => {
    const [, command = ""] = /^`beeuni ([a-z-]+(?: [a-z-]+)?)/.exec(first) ?? [];
    const noun = command.split(" ")[0] ?? "";
    const own = all.includes(command) ? command : noun;
    // Further ones of the same noun are in the description: `secrets ls`, or `ls` alone.
    const further = readMarkdown(second).spans.filter((span) => /^[a-z]+( [a-z]+)?$/.test(span))
      .map((span) => (span.includes(" ") ? span : `${noun} ${span}`));
    const choices = PROGRAM.commands.find((child) =>
      child.name() === noun
    )?.registeredArguments[0]?.argChoices ?? [];
    return [own, ...further.filter((span) => !choices.includes(span.split(" ")[1] ?? ""))];
  });
  assert.deepEqual([...named].sort(), [...all].sort());
});

Deno.test("every task that the pages name is in deno.json", () => {
  const tasks = PAGES.flatMap((path) => {
    const { spans, blocks } = page(path);
    return [...spans, ...blocks.map(({ text }) => text)].flatMap((text) =>
      [...text.matchAll(/\b(?:deno|deno@\S+) task ([a-z:]+)/g)].map(([, name = ""]) => name)
    );
  });
  assert.ok(tasks.length > 5);
  for (const task of tasks) assert.ok(task in config.tasks, task);
});
