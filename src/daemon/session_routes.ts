import type { ErrorCode } from "../errors/codes.ts";
import type { Route, RouteParameter } from "./routes.ts";
import * as schemas from "./session_schemas.ts";

const ID = {
  name: "id",
  in: "path",
  description: "Id of the session.",
  schema: { type: "string" },
} as const satisfies RouteParameter;

/** Where the state database can't be used, no session can. */
const STATE_ERRORS = [
  "state_database",
  "state_newer",
  "unwritable",
  "stopping",
] as const satisfies readonly ErrorCode[];
const ONE = ["session_not_found", ...STATE_ERRORS] as const satisfies readonly ErrorCode[];
const BODY = ["body_too_large", "bad_request", "request_timeout"] as const satisfies readonly ErrorCode[];

/** The routes of sessions (specification 4.4, docs/design-harness.md), part of the daemon's table. */
export const SESSION_ROUTES = {
  createSession: {
    method: "POST",
    path: "/beeuni/sessions",
    summary: "Make a session; with a prompt its first turn runs at once",
    body: schemas.NEW_SESSION,
    answer: {
      status: 200,
      description: "The session.",
      type: "application/json",
      schema: schemas.SESSION_MADE,
    },
    errors: [...BODY, "agent_forbidden", "harness_missing", "harness_failed", ...STATE_ERRORS],
  },
  listSessions: {
    method: "GET",
    path: "/beeuni/sessions",
    summary: "All sessions",
    answer: {
      status: 200,
      description: "The newest first.",
      type: "application/json",
      schema: schemas.SESSION_LIST,
    },
    errors: STATE_ERRORS,
  },
  getSession: {
    method: "GET",
    path: "/beeuni/sessions/{id}",
    summary: "One session, with the questions that wait for an answer",
    parameters: [ID],
    answer: {
      status: 200,
      description: "The session.",
      type: "application/json",
      schema: schemas.SESSION_ANSWER,
    },
    errors: ONE,
  },
  promptSession: {
    method: "POST",
    path: "/beeuni/sessions/{id}/prompt",
    summary: "Begin the next turn",
    parameters: [ID],
    body: schemas.PROMPT_BODY,
    answer: {
      status: 202,
      description: "The prompt is stored and its turn runs.",
      type: "application/json",
      schema: schemas.SESSION_ANSWER,
    },
    errors: [...BODY, "turn_running", "agent_forbidden", ...ONE],
  },
  sessionMessages: {
    method: "GET",
    path: "/beeuni/sessions/{id}/messages",
    summary: "The messages of a session with their tool calls",
    parameters: [ID, {
      name: "limit",
      in: "query",
      description: "Only the last ones, 1 to 1000000; absent = all.",
      schema: { type: "integer", minimum: 1, maximum: 1_000_000 },
    }],
    answer: { status: 200, description: "In order.", type: "application/json", schema: schemas.MESSAGES },
    errors: ["bad_request", ...ONE],
  },
  sessionEvents: {
    method: "GET",
    path: "/beeuni/sessions/{id}/events",
    summary: "What happens in a session, as it happens",
    parameters: [ID],
    answer: {
      status: 200,
      description:
        "Server-sent events, each with JSON as its data: first `snapshot`, then `message`, `text`, `tool`, " +
        "`question`, `answer` and `turn_end`; `dropped` is the last one a reader that is too slow gets. The stream " +
        "ends when the session is removed.",
      type: "text/event-stream",
      schema: { type: "string" },
    },
    errors: ["queue_full", ...ONE],
  },
  stopSession: {
    method: "POST",
    path: "/beeuni/sessions/{id}/stop",
    summary: "Stop the running turn",
    parameters: [ID],
    answer: {
      status: 202,
      description: "The turn was told to stop; it is over within 5 s.",
      type: "application/json",
      schema: schemas.SESSION_ANSWER,
    },
    errors: ["no_turn", ...ONE],
  },
  answerQuestion: {
    method: "POST",
    path: "/beeuni/sessions/{id}/answer",
    summary: "Answer a question that waits",
    parameters: [ID],
    body: schemas.ANSWER_BODY,
    answer: {
      status: 200,
      description: "The question that was answered.",
      type: "application/json",
      schema: schemas.ANSWERED,
    },
    errors: [...BODY, "question_not_found", ...ONE],
  },
  removeSession: {
    method: "DELETE",
    path: "/beeuni/sessions/{id}",
    summary: "Remove a session and all that is kept of it; a running turn is stopped first",
    parameters: [ID],
    answer: {
      status: 200,
      description: "The session that was removed.",
      type: "application/json",
      schema: schemas.SESSION_REMOVED,
    },
    errors: ONE,
  },
} as const satisfies Record<string, Route>;
