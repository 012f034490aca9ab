import type { HarnessTool, MakeHarnessTools } from "../harness_tool.ts";
import { bashEnv } from "./bash_env.ts";
import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { findSkills } from "./find_skills.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { questionTool } from "./question.ts";
import { readTool } from "./read.ts";
import { skillTool } from "./skill.ts";
import { taskTool } from "./task.ts";
import { writeTool } from "./write.ts";

/** The harness tools of one turn, in the order of specification 4.2. */
export const makeHarnessTools: MakeHarnessTools = async (
  { root, subagents, env = Deno.env.toObject(), mask },
): Promise<HarnessTool[]> => [
  bashTool(bashEnv(env, mask)),
  readTool,
  writeTool,
  editTool,
  globTool,
  grepTool,
  ...(subagents.length > 0 ? [taskTool(subagents)] : []),
  questionTool,
  skillTool(await findSkills(root)),
];
