import { startDaemon } from "./support/daemon.ts";
import { Project } from "./support/project.ts";
import { output, refusal } from "./support/told.ts";

// Which agent a call without one is made by (specification 2.7).

const TOOL = `export default {
  description: "Tells who calls.",
  parameters: { type: "object", properties: {} },
  execute: (_args, { agent }) => agent,
}
`;
const BODY = "tools:\n  who: tools/who.ts\n";

const ROWS: { name: string; yaml: string; args?: string[]; agent?: string }[] = [
  { name: "the implied one", yaml: BODY, agent: "beeuni" },
  { name: "the only one declared", yaml: `${BODY}agents:\n  solo: {}\n`, agent: "solo" },
  { name: "beeuni when declared", yaml: `${BODY}agents:\n  a: {}\n  beeuni: {}\n`, agent: "beeuni" },
  {
    name: "default_agent",
    yaml: `default_agent: a\n${BODY}agents:\n  a: {}\n  beeuni: {}\n`,
    agent: "a",
  },
  {
    name: "--agent",
    yaml: `default_agent: a\n${BODY}agents:\n  a: {}\n  b: {}\n`,
    args: ["--agent", "b"],
    agent: "b",
  },
  { name: "nobody, when it can't be told", yaml: `${BODY}agents:\n  a: {}\n  b: {}\n` },
];

for (const { name, yaml, args, agent } of ROWS) {
  Deno.test({
    name: `default agent: ${name}`,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      using project = new Project({ files: { "beeuni.yaml": yaml, "tools/who.ts": TOOL } });
      await using daemon = await startDaemon(project, args === undefined ? {} : { args });
      const answer = await daemon.call("who");
      if (agent === undefined) refusal(400, "bad_request", /agent/)(answer);
      else output(agent)(answer);
    },
  });
}
