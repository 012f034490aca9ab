import assert from "node:assert/strict";
import type { Agent } from "../manifest/model.ts";
import { grantedSecrets } from "./secrets.ts";
import { EVERY_TOOL } from "../manifest/tool_list.ts";

Deno.test("grantedSecrets: all, none or a list; an undeclared agent has none", () => {
  const set = ["WEATHER_API_KEY", "ORDERS_API_KEY"];
  const agent = (secrets: Agent["secrets"]): Agent => ({ name: "a", tools: EVERY_TOOL, secrets });
  assert.deepEqual(grantedSecrets(agent("all"), set), set);
  assert.deepEqual(grantedSecrets(agent("none"), set), []);
  assert.deepEqual(grantedSecrets(agent([]), set), []);
  assert.deepEqual(grantedSecrets(agent(["ORDERS_API_KEY", "NOT_SET"]), set), ["ORDERS_API_KEY"]);
  assert.deepEqual(grantedSecrets(undefined, set), []);
});
