import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { HarnessTool } from "../harness_tool.ts";
import { boundText } from "./bound_text.ts";
import type { Skill } from "./find_skills.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Longest description of a skill in the tool's own, and most skills that are listed there. */
const MAX_DESCRIPTION = 1_000;
const MAX_LISTED = 100;

/** How many files of a skill's folder are named. */
const MAX_FILES = 10;

const DESCRIPTION =
  `Loads a skill: written instructions of this project for one kind of task. Load the one that fits before you
begin such a task.`;

/**
 * `skill`: the text of a skill. What it says of tools is not checked: a skill that names a tool which is not there still
 * loads.
 *
 * @param skills The project's skills by name.
 */
export function skillTool(skills: ReadonlyMap<string, Skill>): HarnessTool {
  return {
    name: "skill",
    description: `${DESCRIPTION}\n\n${listed([...skills.values()])}`,
    parameters: {
      type: "object",
      properties: { name: { type: "string", description: "Name of the skill, as it is listed." } },
      required: ["name"],
    },

    async execute(values, context) {
      const name = new ToolArguments("skill", values).someText("name").trim();
      const skill = skills.get(name);
      if (skill === undefined) {
        const others = [...skills.keys()].join(", ") || "none";
        throw new Error(`Skill "${name}" not found. Available skills: ${others}`);
      }
      const files = await filesOf(skill.folder);
      const text = [
        `<skill_content name="${name}">`,
        `# Skill: ${name}`,
        "",
        skill.body.trim(),
        "",
        `The folder of this skill is ${skill.folder}. Paths in the text start from there.`,
        ...(files.length === 0
          ? []
          : ["<skill_files>", ...files.map((file) => `<file>${file}</file>`), "</skill_files>"]),
        "</skill_content>",
      ];
      return boundText("skill", text.join("\n"), context);
    },
  };
}

function listed(skills: readonly Skill[]): string {
  if (skills.length === 0) return "This project has no skills.";
  const lines = skills.slice(0, MAX_LISTED).map(({ name, description }) => {
    const text = description.replaceAll(/\s+/g, " ").slice(0, MAX_DESCRIPTION);
    return text === "" ? `- ${name}` : `- ${name}: ${text}`;
  });
  if (skills.length > MAX_LISTED) {
    lines.push(`- and: ${skills.slice(MAX_LISTED).map(({ name }) => name).join(", ")}`);
  }
  return ["The skills:", ...lines].join("\n");
}

/** Some files that lie beside a `SKILL.md`, folders with a `/` behind them. */
async function filesOf(folder: string): Promise<string[]> {
  const files: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name === "SKILL.md") continue;
      files.push(join(folder, entry.name) + (entry.isDirectory() ? "/" : ""));
      if (files.length === MAX_FILES) break;
    }
  } catch {
    // It went away since the turn began; its text is known.
  }
  return files.sort();
}
