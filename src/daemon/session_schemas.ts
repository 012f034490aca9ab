import { type BodySchema, ID_PATTERN, ID_RULE, type JsonSchema, RULE_KEYWORD } from "./schemas.ts";

const PROMPT = {
  type: "string",
  pattern: "\\S",
  [RULE_KEYWORD]: "must be a text that is not empty",
  description: "What the agent is to do.",
} as const;

const ATTENDED = {
  type: "boolean",
  [RULE_KEYWORD]: "must be true or false",
  description: "Whether somebody is there to answer questions: they wait 10 minutes then, else 60 s.",
} as const;

/** A text that stands in log lines and messages. */
const NAME = {
  type: "string",
  pattern: "^[\\s\\S]{1,1024}$",
  [RULE_KEYWORD]: "must be a text of 1 to 1024 characters",
};

/** Body of `POST /beeuni/sessions`. Names that it does not know are ignored. */
export const NEW_SESSION = {
  type: "object",
  [RULE_KEYWORD]: "must be a JSON object",
  properties: {
    agent: { ...NAME, description: "Who answers; absent = the project's default agent." },
    harness: {
      enum: ["standard", "experimental"],
      [RULE_KEYWORD]: "must be standard or experimental",
      description: "Absent = `standard` where OpenCode is, else `experimental`.",
    },
    model: { ...NAME, description: "`<provider>/<model>`; absent = the agent's own." },
    prompt: { ...PROMPT, description: "The first prompt: its turn runs at once." },
    attended: ATTENDED,
  },
} as const satisfies BodySchema;

/** Body of `POST /beeuni/sessions/{id}/prompt`. */
export const PROMPT_BODY = {
  type: "object",
  [RULE_KEYWORD]: "must be a JSON object",
  required: ["prompt"],
  properties: { prompt: PROMPT, attended: ATTENDED },
} as const satisfies BodySchema;

/** Body of `POST /beeuni/sessions/{id}/answer`. */
export const ANSWER_BODY = {
  type: "object",
  [RULE_KEYWORD]: "must be a JSON object",
  required: ["answer"],
  properties: {
    answer: {
      type: "string",
      [RULE_KEYWORD]: "must be a string",
      description:
        "`once`, `always` (in this session) or `reject` for a permission, any text for a question.",
    },
    question: {
      type: "string",
      pattern: ID_PATTERN,
      [RULE_KEYWORD]: ID_RULE,
      description: "Id of the question; absent = the oldest one that waits.",
    },
  },
} as const satisfies BodySchema;

const QUESTION = {
  type: "object",
  required: ["id", "session", "kind", "tool", "text", "created", "deadline"],
  properties: {
    id: { type: "string" },
    session: { type: "string" },
    kind: { enum: ["permission", "question"] },
    call: { type: "string", description: "The call it is about." },
    tool: { type: "string" },
    text: { type: "string", description: "What the call touches, or the question." },
    options: { type: "array", items: { type: "string" }, description: "Answers to choose from." },
    created: { type: "string", description: "ISO 8601." },
    deadline: { type: "string", description: "ISO 8601; when no answer becomes a no." },
  },
} as const satisfies JsonSchema;

const SESSION = {
  type: "object",
  required: ["id", "agent", "harness", "created", "updated", "state", "title", "questions"],
  properties: {
    id: { type: "string" },
    agent: { type: "string" },
    harness: { enum: ["standard", "experimental"] },
    model: { type: "string" },
    created: { type: "string", description: "ISO 8601." },
    updated: { type: "string", description: "ISO 8601." },
    state: { enum: ["idle", "running", "completed", "failed", "stopped", "interrupted"] },
    title: { type: "string", description: "Beginning of the first prompt, one line." },
    questions: { type: "array", items: QUESTION, description: "Those that wait for an answer." },
  },
} as const satisfies JsonSchema;

/** Answers that have a session. */
export const SESSION_ANSWER = {
  type: "object",
  required: ["session"],
  properties: { session: SESSION },
} as const satisfies JsonSchema;

/** Answer of `POST /beeuni/sessions`. */
export const SESSION_MADE = {
  type: "object",
  required: ["session"],
  properties: {
    session: SESSION,
    because: {
      type: "string",
      description: "Why this harness, when none was named and the standard one can't run.",
    },
  },
} as const satisfies JsonSchema;

/** Answer of `DELETE /beeuni/sessions/{id}`: nobody can answer its questions any more. */
export const SESSION_REMOVED = {
  type: "object",
  required: ["session"],
  properties: { session: { ...SESSION, required: SESSION.required.filter((name) => name !== "questions") } },
} as const satisfies JsonSchema;

/** Answer of the list. */
export const SESSION_LIST = {
  type: "object",
  required: ["sessions"],
  properties: { sessions: { type: "array", items: SESSION, description: "The newest first." } },
} as const satisfies JsonSchema;

/** Answer of an answer. */
export const ANSWERED = {
  type: "object",
  required: ["question"],
  properties: { question: QUESTION },
} as const satisfies JsonSchema;

/** Answer of the messages. */
export const MESSAGES = {
  type: "object",
  required: ["messages"],
  properties: {
    messages: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "role", "created", "text", "tools"],
        properties: {
          id: { type: "string" },
          role: { enum: ["user", "assistant"] },
          created: { type: "string", description: "ISO 8601." },
          text: { type: "string" },
          error: { type: "string", description: "Why it ended early." },
          tools: {
            type: "array",
            items: {
              type: "object",
              required: ["call", "tool", "status", "args", "ms"],
              properties: {
                call: { type: "string" },
                tool: { type: "string" },
                status: { enum: ["running", "completed", "error", "aborted", "refused"] },
                args: { description: "What the model gave." },
                output: { type: "string" },
                error: { type: "string" },
                ms: { type: "number" },
                file: { type: "string", description: "Path of the file with the whole output." },
              },
            },
          },
        },
      },
    },
  },
} as const satisfies JsonSchema;
