/** A place in a manifest file. */
export interface Position {
  /** Repo-relative path of the file, with `/`. */
  file: string;
  /** Line, from 1. */
  line: number;
  /** Column in UTF-16 units, from 1. */
  column: number;
}

/** One finding of `beeuni validate` (specification 1.6). */
export interface Issue extends Position {
  severity: "error" | "warning";
  /** Stable word for the rule. */
  code: string;
  /** Dotted path in the manifest, such as `tools.web_search`. */
  path: string;
  message: string;
}

/** What a tool's line makes it (specification 1.7). */
export type ToolKind = "beeuni" | "beeuni (overridden)" | "project";

/** One tool a session gets, as `beeuni tools ls` lists it. */
export interface ToolEntry {
  name: string;
  kind: ToolKind;
  /** `beeuni:<name>` or the repo-relative path of the module. */
  source: string;
  /** Where the entry stands; absent when no `tools` key exists and the tool is implied. */
  position?: Position;
}

/** An entry under `tools:` that can't be used, and why. */
export interface BrokenEntry {
  name: string;
  /** The source text of the value, when it is a string. */
  source: string;
  /** The messages of its errors, joined. */
  error: string;
}

/** `tool_settings.<name>.permissions` (specification 1.4). Absent key = the default of 2.4. */
export interface ToolPermissions {
  /** A list replaces the default, `false` takes it away, `true` is the default. */
  net?: string[] | boolean;
  /** A list is added to the default, `false` takes the default away. */
  read?: string[] | false;
  write?: string[] | false;
  /** Exactly the list. */
  run?: string[];
  env?: string[];
  sys?: string[];
}

/** `tool_settings.<name>` with durations in milliseconds. */
export interface ToolSettings {
  timeoutMs?: number;
  fresh?: boolean;
  permissions?: ToolPermissions;
}

/** `agents.<name>.tools`, normalised (specification 1.5): own entry, else `*`, else allowed. */
export interface ToolList {
  /** Per tool name: may the agent use it. */
  entries: ReadonlyMap<string, boolean>;
  /** What holds for a name without an entry. */
  otherwise: boolean;
}

/** What happens to a call that is not hidden: it runs, a person is asked, it is refused. */
export type PermissionAction = "allow" | "ask" | "deny";

/**
 * `agents.<name>.permission`, normalised (specification 4.2): for `*`, a capability (`edit`, `bash`, `webfetch`, …) or a
 * tool's own name, which action each pattern gets. A bare action is that of the pattern `*`.
 */
export type PermissionRules = ReadonlyMap<string, ReadonlyMap<string, PermissionAction>>;

/** Who may start the agent: a person, another agent, or both; absent = both. */
export type AgentMode = "primary" | "subagent" | "all";

/** One declared (or the implied) agent. */
export interface Agent {
  name: string;
  /** Where its name stands; absent for the implied agent. */
  position?: Position;
  tools: ToolList;
  secrets: "all" | "none" | string[];
  /** Where the names of a list stand, in its order. */
  secretPositions?: Position[];
  /** Absent = no rule. What is wrong in the manifest denies everything. */
  permission?: PermissionRules;
  model?: string;
  prompt?: string;
  description?: string;
  mode?: AgentMode;
}

/** All that the manifest and its imports say, after the rules. */
export interface Manifest {
  /** Absolute path of the project root, as found (not resolved through links). */
  root: string;
  /** Absolute path of `beeuni.yaml`. */
  file: string;
  /** Repo-relative paths of every manifest file read, the root file first. */
  files: string[];
  /** Whether a `tools` key stands anywhere. */
  toolsKey: boolean;
  /** The tools a session gets, in listing order; broken ones left out. */
  tools: ToolEntry[];
  /** Beeuni tools the project removed, in registry order. */
  removed: string[];
  broken: BrokenEntry[];
  settings: ReadonlyMap<string, ToolSettings>;
  /** Declared agents in file order; when none is declared, the implied agent `beeuni`. */
  agents: ReadonlyMap<string, Agent>;
  agentsDeclared: boolean;
  defaultAgent?: string;
  /**
   * Present when a file could not be read, or `tools`, `agents`, `tool_settings` or `imports` is not what it must be:
   * part of the manifest is unknown. Then `tools`, `removed` and `agents` are empty: nothing may be loaded or called.
   */
  incomplete?: true;
  /** Errors first, then by file and place. */
  issues: Issue[];
}
