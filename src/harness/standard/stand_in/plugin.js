// Stands in for @opencode-ai/plugin beside tools of harnesses/opencode/tools: they load without an npm install.
import * as zod from "../../zod/index.js";

export function tool(input) {
  return input;
}
tool.schema = zod;
