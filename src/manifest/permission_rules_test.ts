import assert from "node:assert/strict";
import { DENY_EVERYTHING, permissionRules } from "./permission_rules.ts";

/** The rules as plain values. */
function plain(value: unknown): unknown {
  const rules = permissionRules(value);
  return rules &&
    Object.fromEntries([...rules].map(([name, patterns]) => [name, Object.fromEntries(patterns)]));
}

Deno.test("permissionRules: every form", () => {
  const cases: [value: unknown, expected: unknown][] = [
    [undefined, undefined],
    ["deny", { "*": { "*": "deny" } }],
    ["allow", { "*": { "*": "allow" } }],
    [{}, {}],
    [{ bash: "ask" }, { bash: { "*": "ask" } }],
    [{ "*": "deny", bash: { "git *": "allow", "*": "ask" } }, {
      "*": { "*": "deny" },
      bash: { "git *": "allow", "*": "ask" },
    }],
    [{ edit: {} }, { edit: {} }],
    [JSON.parse('{"__proto__": "deny"}'), JSON.parse('{"__proto__": {"*": "deny"}}')],
  ];
  for (const [value, expected] of cases) assert.deepEqual(plain(value), expected, JSON.stringify(value));
});

Deno.test("permissionRules: what is none of the forms denies everything", () => {
  const broken: unknown[] = [
    null,
    true,
    5,
    "",
    "alow",
    "ALLOW",
    [],
    ["bash"],
    { bash: "alow" },
    { bash: null },
    { bash: true },
    { bash: ["git *"] },
    { bash: { "git *": "alow" } },
    { bash: { "git *": { x: "allow" } } },
    { bash: { "git *": null } },
    { "*": "allow", bash: 1 },
  ];
  for (const value of broken) assert.equal(permissionRules(value), DENY_EVERYTHING, JSON.stringify(value));
});
