/** The top-level keys of a manifest (specification 1.1). */
export const ROOT_KEYS = [
  "beeuni_version",
  "default_agent",
  "agents",
  "tools",
  "tool_settings",
  "imports",
  "env",
  "project",
  "connectors",
  "harnesses",
  "sandbox",
  "triggers",
] as const;

/** Those an imported file may have too (specification 1.2). */
export const IMPORTED_KEYS: readonly string[] = [
  "tools",
  "tool_settings",
  "agents",
  "connectors",
  "triggers",
  "imports",
];

/** Sections whose entries are merged over all files, so that a name may stand in one file only. */
export const MERGED_SECTIONS = ["tools", "tool_settings", "agents", "connectors", "triggers"] as const;

/** A section of {@link MERGED_SECTIONS}. */
export type MergedSection = typeof MERGED_SECTIONS[number];

/** Keys of an agent that mean something here; others are left alone. */
export const AGENT_KEYS = [
  "tools",
  "secrets",
  "permission",
  "model",
  "prompt",
  "description",
  "mode",
  "connectors",
] as const;

/** Keys of an entry of `tool_settings`. */
export const SETTING_KEYS = ["timeout", "fresh", "permissions"] as const;

/** Keys of `tool_settings.<name>.permissions`. */
export const PERMISSION_KEYS = ["net", "read", "write", "run", "env", "sys"] as const;

/** The merge key of YAML 1.1. YAML 1.2 has none, and to ignore it could open what it was meant to close. */
export const MERGE_KEY = "<<";
