import assert from "node:assert/strict";
import { decidePermission } from "../../agents/permission.ts";
import { fitsPattern } from "../../agents/wildcard.ts";
import type { PermissionAction } from "../../manifest/model.ts";
import { permissionRules } from "../../manifest/permission_rules.ts";
import { toolList } from "../../manifest/tool_list.ts";
import { type OpenCodePermission, opencodePermission } from "./opencode_permission.ts";

const HOSTED = ["web_search", "scrape_webpage", "memory", "show", "lookup_order"];

function translate(tools: unknown, permission?: unknown): OpenCodePermission {
  const rules = permission === undefined ? undefined : permissionRules(permission);
  const agent = { tools: toolList(tools), ...rules !== undefined && { permission: rules } };
  return opencodePermission(agent, { hosted: HOSTED, folders: ["/tmp/spill"] });
}

/** OpenCode's own reading of its rules (1.18.33): the last one that fits decides. */
function rulesOf(permission: OpenCodePermission) {
  return Object.entries(permission).flatMap(([name, value]) =>
    typeof value === "string"
      ? [{ name, pattern: "*", action: value }]
      : Object.entries(value).map(([pattern, action]) => ({ name, pattern, action }))
  );
}

function decide(permission: OpenCodePermission, name: string, pattern: string): PermissionAction {
  const rule = rulesOf(permission).findLast((rule) =>
    fitsPattern(name, rule.name) && fitsPattern(pattern, rule.pattern)
  );
  return rule?.action ?? "ask";
}

function isHidden(permission: OpenCodePermission, tool: string): boolean {
  const name = ["edit", "write", "apply_patch"].includes(tool) ? "edit" : tool;
  const rule = rulesOf(permission).findLast((rule) => fitsPattern(name, rule.name));
  return rule?.pattern === "*" && rule.action === "deny";
}

Deno.test("opencodePermission: a list hides what it does not name", () => {
  const cases: [tools: unknown, shown: string[], hidden: string[]][] = [
    ["all", ["bash", "edit", "write", "lookup_order", "memory", "pty_spawn", "unknown_mcp"], []],
    [undefined, ["bash", "lookup_order"], []],
    ["none", ["invalid"], [
      "bash",
      "read",
      "edit",
      "lookup_order",
      "memory",
      "task",
      "pty_spawn",
      "unknown_mcp",
    ]],
    [["read", "lookup_order"], ["read", "lookup_order", "invalid"], [
      "bash",
      "edit",
      "memory",
      "show",
      "grep",
    ]],
    [["write"], ["write", "edit", "apply_patch"], ["bash", "memory", "read"]],
    [["apply_patch"], ["write", "edit", "apply_patch"], ["bash"]],
    [["memory"], ["memory"], ["edit", "write", "read"]],
    [["bash"], ["bash", "pty_spawn", "pty_read"], ["edit"]],
    [{ exclude: ["bash"] }, ["edit", "lookup_order"], ["bash", "pty_spawn"]],
    [{ exclude: ["edit"] }, ["bash", "memory", "read"], ["edit", "write", "apply_patch"]],
    [{ exclude: ["write", "lookup_order"] }, ["bash", "memory"], [
      "edit",
      "write",
      "apply_patch",
      "lookup_order",
    ]],
    [{ bash: false }, ["read", "lookup_order"], ["bash"]],
    [{ "*": false, show: true }, ["show", "invalid"], ["bash", "lookup_order"]],
    [["unknown_mcp"], ["unknown_mcp"], ["bash", "other_mcp"]],
    [{ exclude: ["unknown_mcp"] }, ["bash"], ["unknown_mcp"]],
  ];
  for (const [tools, shown, hidden] of cases) {
    const permission = translate(tools);
    for (const tool of shown) {
      assert.equal(isHidden(permission, tool), false, `${JSON.stringify(tools)} ${tool}`);
    }
    for (const tool of hidden) {
      assert.equal(isHidden(permission, tool), true, `${JSON.stringify(tools)} ${tool}`);
    }
  }
});

Deno.test("opencodePermission: a list begins with deny and invalid, an exclusion comes last", () => {
  assert.deepEqual(Object.entries(translate(["read", "show"])).slice(0, 2), [["*", "deny"], [
    "invalid",
    "allow",
  ]]);
  const keys = Object.keys(translate({ exclude: ["bash", "show"] }));
  assert.ok(keys.indexOf("bash") > keys.indexOf("read"));
  assert.ok(keys.indexOf("show") > keys.indexOf("memory"));
});

Deno.test("opencodePermission: rules of permission", () => {
  const cases: [permission: unknown, name: string, pattern: string, expected: PermissionAction][] = [
    [undefined, "bash", "rm -r x", "allow"],
    [{ bash: { "git *": "allow", "*": "ask" } }, "bash", "git status", "allow"],
    [{ bash: { "git *": "allow", "*": "ask" } }, "bash", "rm x", "ask"],
    [{ bash: { "git push *": "deny", "git *": "allow", "*": "ask" } }, "bash", "git push origin", "deny"],
    [{ bash: { "*": "ask", "git *": "allow" } }, "pty_spawn", "git status", "allow"],
    [{ "*": "ask" }, "read", "a.ts", "ask"],
    [{ "*": "ask" }, "unknown_mcp", "*", "ask"],
    [{ "*": "ask", read: "allow" }, "read", "a.ts", "allow"],
    [{ websearch: "ask" }, "web_search", "cats", "ask"],
    [{ websearch: "ask", web_search: "allow" }, "web_search", "cats", "allow"],
    [{ webfetch: { "https://a.example/*": "deny" } }, "scrape_webpage", "https://a.example/x", "deny"],
    [{ edit: "ask" }, "memory", "memory/x", "ask"],
    [{ edit: "ask" }, "memory.view", "memory/x", "allow"],
    [{ read: "ask" }, "memory.view", "memory/x", "ask"],
    [{ read: "ask" }, "memory", "memory/x", "allow"],
    [{ edit: "deny", memory: "allow" }, "memory", "memory/x", "allow"],
    [{ memory: "ask" }, "memory.view", "memory/x", "ask"],
    [{ edit: "deny" }, "memory", "memory/x", "deny"],
    [{ edit: "deny" }, "memory", "*", "deny"],
    [{ edit: "deny" }, "memory.view", "memory/x", "allow"],
    [{ lookup_order: "ask" }, "lookup_order", "*", "ask"],
    [{ write: "deny" }, "edit", "a", "deny"],
    [{ write: "allow", edit: "ask" }, "edit", "a", "ask"],
    [{ edit: "deny", write: { "docs/*": "allow" } }, "edit", "docs/a", "deny"],
    [{ edit: { "docs/*": "deny" }, write: { "*": "allow" } }, "edit", "docs/a", "deny"],
    [undefined, "external_directory", "/tmp/spill/s/x", "allow"],
    [undefined, "external_directory", "/home/x", "ask"],
    [{ external_directory: "allow" }, "external_directory", "/home/x", "allow"],
    [undefined, "doom_loop", "bash", "ask"],
    [undefined, "plan_enter", "*", "deny"],
  ];
  for (const [permission, name, pattern, expected] of cases) {
    assert.equal(
      decide(translate("all", permission), name, pattern),
      expected,
      `${JSON.stringify(permission)} ${name}`,
    );
  }
});

Deno.test("opencodePermission: memory that may be viewed is not hidden where it may not be changed", () => {
  const cases: [permission: unknown, hidden: boolean][] = [
    [{ edit: "deny" }, false],
    [{ "*": "deny", read: "ask" }, false],
    [{ edit: "deny", read: "deny" }, true],
    [{ memory: "deny" }, true],
  ];
  for (const [permission, hidden] of cases) {
    assert.equal(isHidden(translate("all", permission), "memory"), hidden, JSON.stringify(permission));
  }
  assert.ok(isHidden(translate({ exclude: ["memory"] }, { edit: "deny" }), "memory"));
});

Deno.test("opencodePermission: no rule shows what the list hides", () => {
  for (const permission of [{ "*": "allow" }, { bash: "allow" }, { bash: { "git *": "allow" } }]) {
    for (const tools of ["none", ["read"], { exclude: ["bash"] }]) {
      const found = translate(tools, permission);
      assert.ok(isHidden(found, "bash"), JSON.stringify([tools, permission]));
      assert.equal(decide(found, "bash", "git status"), "deny");
    }
  }
});

Deno.test("opencodePermission: decides as decidePermission does, for hosted tools", () => {
  const rules: unknown[] = [
    { "*": "ask", websearch: { "*": "deny", "cats*": "allow" } },
    { webfetch: { "*": "ask", "https://a.example/*": "allow", "https://a.example/private/*": "deny" } },
    { edit: { "memory/*": "ask", "memory/secret*": "deny" }, read: "allow" },
    { lookup_order: "deny" },
    { "*": "deny", lookup_order: "allow" },
  ];
  const calls: [tool: string, args: Record<string, unknown>, name: string, pattern: string][] = [
    ["web_search", { query: "cats and dogs" }, "web_search", "cats and dogs"],
    ["web_search", { query: "dogs" }, "web_search", "dogs"],
    ["scrape_webpage", { urls: "https://a.example/x" }, "scrape_webpage", "https://a.example/x"],
    [
      "scrape_webpage",
      { urls: "https://a.example/private/x" },
      "scrape_webpage",
      "https://a.example/private/x",
    ],
    ["memory", { command: "create", path: "memory/a" }, "memory", "memory/a"],
    ["memory", { command: "create", path: "memory/secret" }, "memory", "memory/secret"],
    ["memory", { command: "view", path: "memory/secret" }, "memory.view", "memory/secret"],
    ["lookup_order", {}, "lookup_order", "*"],
  ];
  for (const permission of rules) {
    const found = translate("all", permission);
    for (const [tool, args, name, pattern] of calls) {
      const expected = decidePermission(permissionRules(permission), tool, args, { root: "/p" });
      assert.equal(
        decide(found, name, pattern),
        expected,
        `${JSON.stringify(permission)} ${tool} ${pattern}`,
      );
    }
  }
});
