import { ERROR_CODES } from "../errors/codes.ts";

/** A JSON Schema, draft 2020-12 (the dialect of OpenAPI 3.1). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Ids of sessions and calls (specification 2.7): they become parts of file names. */
export const ID_PATTERN = "^(?!.*\\.\\.)[A-Za-z0-9_.-]{1,128}$";
/** Finishes the sentence about a value that is none. */
export const ID_RULE = "must be 1 to 128 of the characters A-Z a-z 0-9 _ . - without `..`";

/** Finishes the sentence "`<name>` …" when a value does not fit; an extension keyword that validators ignore. */
export const RULE_KEYWORD = "x-rule";

/** The schema of a request body: of each field it says what holds. */
export interface BodySchema extends JsonSchema {
  [RULE_KEYWORD]: string;
  properties: Readonly<Record<string, JsonSchema & { [RULE_KEYWORD]: string }>>;
}

/**
 * Body of `POST /beeuni/tools/:name`.
 *
 * Names that it does not know are ignored, so that a newer client can talk to an older daemon.
 */
export const CALL_BODY = {
  type: "object",
  [RULE_KEYWORD]: "must be a JSON object",
  properties: {
    args: {
      type: "object",
      [RULE_KEYWORD]: "must be an object",
      description: "Arguments of the tool; `{}` when absent. They are passed on as they are.",
    },
    agent: {
      type: "string",
      // No declared agent's name is nearly as long; it stands in log lines and messages.
      pattern: "^[\\s\\S]{0,1024}$",
      [RULE_KEYWORD]: "must be a text of at most 1024 characters",
      description: "Who calls; absent = the daemon's default agent.",
    },
    session: {
      type: "string",
      pattern: ID_PATTERN,
      [RULE_KEYWORD]: ID_RULE,
      description: "The session the call belongs to: `context.sessionId`.",
    },
    directory: {
      type: "string",
      [RULE_KEYWORD]: "must be a string",
      description: "A folder inside the checkout: `context.directory`; absent = the checkout.",
    },
    call: {
      type: "string",
      pattern: ID_PATTERN,
      [RULE_KEYWORD]: ID_RULE,
      description: "Id of the call, to cancel it by; absent = the daemon makes one.",
    },
  },
} as const satisfies JsonSchema;

/** A body that fits {@link CALL_BODY}. */
export interface CallBody {
  args?: Record<string, unknown>;
  agent?: string;
  session?: string;
  directory?: string;
  call?: string;
}

/** Answer of a call. */
export const CALL_RESULT = {
  type: "object",
  required: ["output", "duration_ms", "call"],
  properties: {
    output: { type: "string", description: "What the tool returned, as text; cut when it is too large." },
    truncated: { type: "boolean", description: "Present when the output was cut." },
    bytes: { type: "integer", description: "Size of the whole output in bytes of UTF-8, when it was cut." },
    lines: { type: "integer", description: "Lines of the whole output, when it was cut." },
    file: { type: "string", description: "Path of the file with the whole output, when it was cut." },
    duration_ms: { type: "number", description: "How long the tool ran, in milliseconds." },
    call: { type: "string" },
  },
} as const satisfies JsonSchema;

/** Answer of a cancellation. */
export const CANCELLED = {
  type: "object",
  required: ["call"],
  properties: { call: { type: "string" } },
} as const satisfies JsonSchema;

const FAILED_TOOLS = {
  type: "array",
  items: {
    type: "object",
    required: ["name", "source", "error"],
    properties: { name: { type: "string" }, source: { type: "string" }, error: { type: "string" } },
  },
} as const satisfies JsonSchema;

/** Answer of the tool list. */
export const TOOL_LIST = {
  type: "object",
  required: ["generation", "tools", "failed", "removed"],
  properties: {
    generation: { type: "integer", description: "Grows by one each time what is loaded changes." },
    tools: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "kind", "source", "description", "parameters"],
        properties: {
          name: { type: "string" },
          kind: { enum: ["beeuni", "beeuni (overridden)", "project"] },
          source: { type: "string", description: "`beeuni:<name>` or the repo-relative path of the module." },
          description: { type: "string" },
          parameters: { type: "object", description: "The tool's own JSON Schema." },
        },
      },
    },
    failed: { ...FAILED_TOOLS, description: "Declared tools that did not load." },
    removed: {
      type: "array",
      items: { type: "string" },
      description: "Beeuni tools the project removed.",
    },
  },
} as const satisfies JsonSchema;

/** Answer of a reload. */
export const RELOADED = {
  type: "object",
  required: ["generation", "changed", "failed"],
  properties: {
    generation: { type: "integer" },
    changed: { type: "array", items: { type: "string" } },
    failed: FAILED_TOOLS,
  },
} as const satisfies JsonSchema;

/** Answer of the health route. */
export const HEALTH = {
  type: "object",
  required: ["status", "version", "generation", "tools", "failed"],
  properties: {
    status: { enum: ["loading", "ready", "stopping"] },
    version: { type: "string" },
    generation: { type: "integer" },
    tools: { type: "integer", description: "How many tools are loaded." },
    failed: { type: "integer", description: "How many did not load." },
  },
} as const satisfies JsonSchema;

/** Every error. */
export const ERROR = {
  type: "object",
  required: ["error", "code"],
  properties: {
    error: { type: "string", description: "A sentence that says what failed." },
    code: { enum: Object.keys(ERROR_CODES), description: "A stable word." },
    hint: { type: "string", description: "What to do about it, when there is something." },
    retryable: { type: "boolean", description: "Present and true when the same call may succeed later." },
    issues: { type: "array", items: { type: "object" }, description: "What is wrong in the manifest." },
  },
} as const satisfies JsonSchema;
