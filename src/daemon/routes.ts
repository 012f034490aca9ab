import type { ErrorCode } from "../errors/codes.ts";
import * as schemas from "./schemas.ts";
import type { BodySchema, JsonSchema } from "./schemas.ts";
import { SESSION_ROUTES } from "./session_routes.ts";

/** A parameter in the path or the query of a route. */
export interface RouteParameter {
  name: string;
  in: "path" | "query";
  description: string;
  schema: JsonSchema;
}

/** What a route answers when all goes well. */
export interface RouteAnswer {
  status: 200 | 202;
  description: string;
  type: "application/json" | "text/plain" | "text/event-stream";
  schema: JsonSchema;
}

/** One route of the daemon (specification 2.7). */
export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** With `{name}` for a parameter, as OpenAPI writes it. */
  path: string;
  summary: string;
  /** No key is needed. */
  open?: true;
  parameters?: readonly RouteParameter[];
  /** Schema of the JSON body; the request is checked against this very object. */
  body?: BodySchema;
  answer: RouteAnswer;
  /** Codes of the errors it may answer with, beside those of every route. */
  errors: readonly ErrorCode[];
}

/** Errors of every route. */
export const COMMON_ERRORS = ["forbidden_origin", "internal"] as const satisfies readonly ErrorCode[];

/** Errors of every route that needs the key. */
export const KEY_ERRORS = ["unauthorized"] as const satisfies readonly ErrorCode[];

/**
 * Every route of the daemon: the OpenAPI document is made from this table, and requests are checked by it.
 */
export const ROUTES = {
  callTool: {
    method: "POST",
    path: "/beeuni/tools/{name}",
    summary: "Call a tool and wait for its output",
    parameters: [{ name: "name", in: "path", description: "Name of the tool.", schema: { type: "string" } }],
    body: schemas.CALL_BODY,
    answer: {
      status: 200,
      description: "What the tool returned, as text.",
      type: "application/json",
      schema: schemas.CALL_RESULT,
    },
    errors: [
      "body_too_large",
      "bad_request",
      "request_timeout",
      "tool_not_found",
      "agent_forbidden",
      "call_in_flight",
      "tool_failed",
      "aborted",
      "sandbox_died",
      "queue_full",
      "stopping",
      "timed_out",
      "env_file",
      "secrets_key",
      "secret_damaged",
      "state_database",
      "state_newer",
      "unwritable",
    ],
  },
  cancelCall: {
    method: "DELETE",
    path: "/beeuni/calls/{id}",
    summary: "Cancel a call in flight",
    parameters: [{ name: "id", in: "path", description: "Id of the call.", schema: { type: "string" } }],
    answer: {
      status: 202,
      description: "The call was told to stop.",
      type: "application/json",
      schema: schemas.CANCELLED,
    },
    errors: ["call_not_found"],
  },
  listTools: {
    method: "GET",
    path: "/beeuni/tools",
    summary: "The loaded tools; with `agent`, those this agent may use",
    parameters: [{
      name: "agent",
      in: "query",
      description: "Only the tools this agent may use; an undeclared agent may use none.",
      schema: { type: "string" },
    }],
    answer: {
      status: 200,
      description: "Answered when the first load is over.",
      type: "application/json",
      schema: schemas.TOOL_LIST,
    },
    errors: [],
  },
  reload: {
    method: "POST",
    path: "/beeuni/reload",
    summary: "Read the manifest and the modules again",
    answer: {
      status: 200,
      description: "What changed.",
      type: "application/json",
      schema: schemas.RELOADED,
    },
    errors: ["manifest_invalid", "no_manifest", "stopping"],
  },
  health: {
    method: "GET",
    path: "/beeuni/health",
    summary: "Whether the daemon is up; needs no key",
    open: true,
    answer: { status: 200, description: "It is up.", type: "application/json", schema: schemas.HEALTH },
    errors: [],
  },
  metrics: {
    method: "GET",
    path: "/beeuni/metrics",
    summary: "Metrics in the Prometheus text format",
    answer: {
      status: 200,
      description: "Prometheus text format 0.0.4.",
      type: "text/plain",
      schema: { type: "string" },
    },
    errors: [],
  },
  events: {
    method: "GET",
    path: "/beeuni/events",
    summary: "Loads, calls and log lines as they happen",
    answer: {
      status: 200,
      description:
        "Server-sent events: `load`, `call_start`, `call_end`, `log` and `runner`, each with JSON as its " +
        "data; `dropped` is the last one a reader that is too slow gets.",
      type: "text/event-stream",
      schema: { type: "string" },
    },
    errors: ["queue_full", "stopping"],
  },
  ...SESSION_ROUTES,
  openapi: {
    method: "GET",
    path: "/beeuni/openapi.json",
    summary: "This document",
    answer: {
      status: 200,
      description: "OpenAPI 3.1.",
      type: "application/json",
      schema: { type: "object" },
    },
    errors: [],
  },
} as const satisfies Record<string, Route>;

/** The name of a route; in the OpenAPI document its `operationId`. */
export type RouteId = keyof typeof ROUTES;
