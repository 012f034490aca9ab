import type { HarnessTool, Subagent } from "../harness_tool.ts";
import { boundText } from "./bound_text.ts";
import { ToolArguments } from "./tool_arguments.ts";

/** Longest description of an agent in the tool's own, in characters. */
const MAX_DESCRIPTION = 1_000;

const DESCRIPTION = `Gives a task to another agent and returns its last message.

- It starts without knowing this conversation: say in \`prompt\` all it needs, what it shall do, and what to report.
- It has only tools that both it and you may use, and can't ask the user or start agents itself.
- The user does not see its report. Tell what matters of it.
- For several tasks that don't depend on each other, call this several times at once.`;

/**
 * `task`: another agent's answer to a prompt.
 *
 * @param subagents The agents it may start, at least one.
 */
export function taskTool(subagents: readonly Subagent[]): HarnessTool {
  const names = subagents.map(({ name }) => name);
  return {
    name: "task",
    description: `${DESCRIPTION}\n\nThe agents:\n${subagents.map(listed).join("\n")}`,
    parameters: {
      type: "object",
      properties: {
        description: { type: "string", description: "The task in 3 to 5 words." },
        prompt: { type: "string", description: "The task in full." },
        subagent_type: { type: "string", enum: names, description: "Name of the agent." },
      },
      required: ["description", "prompt", "subagent_type"],
    },

    async execute(values, context) {
      const args = new ToolArguments("task", values);
      const prompt = args.someText("prompt");
      const agent = args.someText("subagent_type").trim();
      if (!names.includes(agent)) {
        throw new Error(`Unknown agent type: ${agent} can't be started. Use one of: ${names.join(", ")}.`);
      }
      if (context.runSubagent === undefined) {
        throw new Error("A subagent can't start another one. Do the task yourself.");
      }
      const text = await context.runSubagent({ agent, prompt });
      return boundText("task", text.trim() === "" ? "(the agent ended without a message)" : text, context);
    },
  };
}

function listed({ name, description }: Subagent): string {
  const text = description.trim().replaceAll(/\s+/g, " ").slice(0, MAX_DESCRIPTION);
  return text === "" ? `- ${name}` : `- ${name}: ${text}`;
}
