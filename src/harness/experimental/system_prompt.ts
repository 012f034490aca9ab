import type { Agent } from "../../manifest/model.ts";

/**
 * What the model is told before the conversation: the agent's own prompt, then where it is. The tools are in the
 * request itself; the skills are in the description of the tool `skill`.
 *
 * @param root Absolute path of the checkout.
 * @param caller For a subagent: the agent that started it.
 */
export function systemPrompt(agent: Agent, root: string, caller?: string, now = new Date()): string {
  const own = agent.prompt?.trim() ||
    "You are an agent that works in a software project. Use the tools to look before you answer and to do what is " +
      "asked; say in a few sentences what you did.";
  const task = caller === undefined ? "" : `
You were started by the agent ${caller} for one task. Nobody answers questions; your last message is your answer to it.`;
  return `${own}

Working directory: ${root}
Date: ${now.toISOString().slice(0, 10)}${task}`;
}
