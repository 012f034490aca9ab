import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSkills } from "./find_skills.ts";
import { skillParts } from "./skill_header.ts";
import { skillTool } from "./skill.ts";
import { CallBench } from "./testing/call_bench.ts";

Deno.test("skillParts: header and text", () => {
  const cases: [name: string, text: string, parts: ReturnType<typeof skillParts>][] = [
    ["plain", "---\nname: a\ndescription: Does a.\n---\n# A\n", {
      name: "a",
      description: "Does a.",
      body: "# A\n",
    }],
    ["CRLF and BOM", "\uFEFF---\r\nname: a\r\n---\r\nx", { name: "a", body: "x" }],
    ["a block", "---\ndescription: >\n  two\n  lines\n---\n", { description: "two lines", body: "" }],
    ["a number", "---\nname: 7\n---\nx", { name: "7", body: "x" }],
    ["no YAML", "---\nname: a\ndescription: note: this\n---\nx", {
      name: "a",
      description: "note: this",
      body: "x",
    }],
    ["not a map", "---\n- a\n---\nx", { body: "x" }],
    ["a wrong kind", "---\nname: [a]\n---\nx", { body: "x" }],
    ["no header", "# A\n---\nname: a\n---\n", { body: "# A\n---\nname: a\n---\n" }],
    ["never closed", "---\nname: a\n", { body: "---\nname: a\n" }],
    ["an alias bomb", "---\na: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nname: [*b,*b,*b,*b,*b,*b]\n---\nx", {
      body: "x",
    }],
  ];
  for (const [name, text, parts] of cases) {
    const { name: found, ...others } = skillParts(text);
    const { name: wanted, ...rest } = parts;
    // What an alias bomb's lines are read as is of no interest.
    if (name !== "an alias bomb") assert.equal(found, wanted, name);
    assert.deepEqual(others, rest, name);
  }
});

Deno.test("skill: both folders, the first of a name, a missing tool is no fault", async () => {
  await using bench = await CallBench.make({
    "skills/good/SKILL.md":
      "---\nname: good\ndescription: Does\n  good.\n---\nCall missing_tool, then rest.\n",
    "skills/good/scripts/x.sh": "",
    "skills/good/notes.txt": "",
    "skills/nameless/SKILL.md": "Just text.\n",
    "skills/README.md": "no skill",
    "skills/empty/other.md": "",
    "harnesses/opencode/skills/good/SKILL.md": "the second of its name",
    "harnesses/opencode/skills/old/SKILL.md": "---\ndescription: From OpenCode.\n---\nOld text.\n",
  });
  const tool = skillTool(await findSkills(bench.root));
  assert.ok(
    tool.description.endsWith("The skills:\n- good: Does good.\n- nameless\n- old: From OpenCode."),
    tool.description,
  );
  const folder = join(bench.root, "skills/good");
  assert.equal(
    await bench.call(tool, { name: "good" }),
    '<skill_content name="good">\n# Skill: good\n\nCall missing_tool, then rest.\n\n' +
      `The folder of this skill is ${folder}. Paths in the text start from there.\n<skill_files>\n` +
      `<file>${folder}/notes.txt</file>\n<file>${folder}/scripts/</file>\n</skill_files>\n</skill_content>`,
  );
  assert.match(await bench.call(tool, { name: "nameless" }), /Just text\./);
  assert.match(await bench.call(tool, { name: "old" }), /Old text\./);
  await assert.rejects(bench.call(tool, { name: "nope" }), {
    message: 'Skill "nope" not found. Available skills: good, nameless, old',
  });
  await assert.rejects(bench.call(tool, {}), /"name" of skill is missing/);
});

Deno.test("skill: what can't be read is left out", async () => {
  await using bench = await CallBench.make({
    "skills/ok/SKILL.md": "ok",
    "skills/long/SKILL.md": "x".repeat(1024 * 1024 + 1),
    "skills/latin1/SKILL.md": new Uint8Array([0xe9]),
    "skills/folder/SKILL.md/x": "",
  });
  mkdirSync(join(bench.outside, "secret"));
  writeFileSync(join(bench.outside, "secret/SKILL.md"), "secret");
  symlinkSync("../../secret", join(bench.root, "skills/leaves"));
  mkdirSync(join(bench.root, "skills/link"));
  symlinkSync("../../../secret/SKILL.md", join(bench.root, "skills/link/SKILL.md"));
  mkdirSync(join(bench.root, "skills/pipe"));
  await new Deno.Command("mkfifo", { args: [join(bench.root, "skills/pipe/SKILL.md")] }).output();
  assert.deepEqual([...(await findSkills(bench.root)).keys()], ["ok"]);
  assert.equal((await findSkills(join(bench.root, "skills"))).size, 0);
  assert.match(skillTool(new Map()).description, /This project has no skills\.$/);
});

Deno.test("skill: a long one is cut, and whole in a file", async () => {
  await using bench = await CallBench.make({ "skills/long/SKILL.md": "line\n".repeat(5_000) });
  const tool = skillTool(await findSkills(bench.root));
  const { output, file } = await tool.execute({ name: "long" }, bench.context());
  assert.ok(
    file !== undefined && output.endsWith(`The whole output is in ${file}; read it in parts or search it.]`),
  );
});
