/** Names a harness owns; no tool of a project may have one (specification 1.3). */
export const HARNESS_TOOLS: readonly string[] = [
  "bash",
  "read",
  "write",
  "edit",
  "apply_patch",
  "glob",
  "grep",
  "list",
  "task",
  "question",
  "todowrite",
  "todoread",
  "webfetch",
  "websearch",
  "skill",
  "lsp",
  "invalid",
  "execute",
  "plan_exit",
  "plan_enter",
  "codesearch",
  "patch",
  "external_directory",
  "doom_loop",
  "list_mcp_resources",
  "list_mcp_resource_templates",
  "read_mcp_resource",
];

/** What the terminal plug-in's tools start with; all such names belong to the harness. */
export const TERMINAL_PREFIX = "pty_";

/** Whether the harness owns `name`. */
export function isHarnessTool(name: string): boolean {
  return name.startsWith(TERMINAL_PREFIX) || HARNESS_TOOLS.includes(name);
}
