import { type Context, Hono } from "hono";
import { BeeuniError } from "../errors/error.ts";
import type { CallRequest, FailedTool, ToolHost } from "../host/types.ts";
import type { Logger } from "../log/logger.ts";
import type { Sessions } from "../sessions/types.ts";
import { checkAuthorization } from "./authorization.ts";
import { checkedBody } from "./checked_body.ts";
import { checkoutDirectory } from "./checkout_directory.ts";
import { errorResponse, knownError } from "./error_response.ts";
import { eventHeaders, EventReaders } from "./event_readers.ts";
import type { Events } from "./events.ts";
import { jsonResponse as json } from "./json_response.ts";
import type { Metrics } from "./metrics.ts";
import { openapiDocument } from "./openapi.ts";
import { readBody, type ReadBodyOptions } from "./read_body.ts";
import { callTool as callToolCheck } from "./request_checks.js";
import { type Route, type RouteId, ROUTES } from "./routes.ts";
import { checkSameMachine, hostRule } from "./same_machine.ts";
import { CALL_BODY, type CallBody } from "./schemas.ts";
import { sessionHandlers } from "./session_handlers.ts";

/** What the app serves, and to whom. */
export interface AppOptions {
  host: ToolHost;
  /** Absolute path of the project root. */
  root: string;
  /** The key that every route but health needs. */
  key: string;
  /** `--host`: decides which `Host` headers are ours; default 127.0.0.1. */
  hostname?: string;
  version: string;
  logger: Logger;
  events: Events;
  metrics: Metrics;
  /** The sessions, opened when they are first needed; absent = this daemon has none. */
  sessions?: (() => Promise<Sessions>) | undefined;
  /** What else did not load: files of a harness. */
  failed?: () => readonly FailedTool[];
  /** Who follows sessions. */
  followers?: EventReaders;
  /** Told of a call that is refused before it reaches the host, so that it is logged and counted like the others. */
  onRefused?: (call: RefusedCall) => void;
  /** Limits of request bodies. */
  body?: ReadBodyOptions;
}

/** A call that was refused; fields are `""` as far as they are not known. */
export interface RefusedCall {
  tool: string;
  agent: string;
  session: string;
  call: string;
  code: string;
}

type Handler = (context: Context) => Response | Promise<Response>;

const CANCELLED_BY_CLIENT = "the client closed the connection.";
const JSON_HEADERS = { "content-type": "application/json" };

/**
 * The daemon's HTTP interface as a function from Request to Response (specification 2.7).
 *
 * Every route of the table is here; whatever else is asked for is 404. No input makes it answer 500.
 */
export function createApp(options: AppOptions): Hono {
  const { host, key, version, logger, events, metrics, followers = new EventReaders() } = options;
  const rule = hostRule(options.hostname ?? "127.0.0.1");
  let openapi: string | undefined;

  const handlers: Record<RouteId, Handler> = {
    callTool: (context) => callTool(options, context),

    cancelCall(context) {
      const call = context.req.param("id") ?? "";
      if (!host.cancel(call)) throw new BeeuniError("call_not_found", `no call ${call} is in flight.`);
      return json({ call }, ROUTES.cancelCall.answer.status);
    },

    async listTools(context) {
      // The list is what a model is told of; one made while tools are still loading would lack them for good.
      await host.ready;
      const agent = context.req.query("agent");
      const { generation, tools, failed, removed } = host.catalogue();
      return json({
        generation,
        tools: agent === undefined ? tools : host.toolsOf(agent),
        failed: [...failed, ...options.failed?.() ?? []],
        removed,
      });
    },

    reload: async () => json(await host.reload()),

    health() {
      const { generation, tools, failed } = host.catalogue();
      return json({
        status: host.state,
        version,
        generation,
        tools: tools.length,
        failed: failed.length,
      });
    },

    metrics() {
      const page = metrics.page({
        stats: host.stats(),
        catalogue: host.catalogue(),
        events: events.stats,
        followers: followers.stats,
      });
      return new Response(page, { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
    },

    events(context) {
      // A HEAD request has no reader: a stream for it would stay open for good.
      return context.req.raw.method === "HEAD" ? eventHeaders() : events.connect();
    },

    ...sessionHandlers({ sessions: options.sessions, readers: followers, body: options.body }),

    openapi() {
      openapi ??= JSON.stringify(openapiDocument(version), null, 2);
      return new Response(openapi, { headers: JSON_HEADERS });
    },
  };

  function check(request: Request, route: Route): void {
    checkSameMachine(request.headers, rule);
    if (!route.open) checkAuthorization(request.headers.get("authorization"), key);
  }

  const app = new Hono();
  const methods = new Map<string, string[]>();
  for (const [id, route] of Object.entries<Route>(ROUTES)) {
    const handler = handlers[id as RouteId];
    const path = route.path.replace(/\{(\w+)\}/g, ":$1");
    const allowed = methods.get(path) ?? [];
    methods.set(path, [...allowed, route.method, ...(route.method === "GET" ? ["HEAD"] : [])]);
    app.on(route.method, path, (context) => {
      const { raw } = context.req;
      try {
        check(raw, route);
      } catch (error) {
        if (id === "callTool") refused(options, context, {}, knownError(error));
        throw error;
      }
      return handler(context);
    });
    if (allowed.length > 0) continue;
    // No CORS headers: a page of another origin gets nothing.
    app.options(path, (context) => {
      check(context.req.raw, route);
      const allow = [...methods.get(path) ?? [], "OPTIONS"].join(", ");
      return new Response(null, { status: 204, headers: { allow } });
    });
  }

  app.notFound((context) => {
    const { method, path } = context.req;
    return errorResponse(new BeeuniError("route_not_found", `there is no route ${method} ${path}.`));
  });

  app.onError((error, context) => {
    const known = knownError(error);
    if (known.code === "internal") {
      const { method, path } = context.req;
      logger.error("a request failed inside the daemon", {
        method,
        path,
        reason: String(error.stack ?? error),
      });
    }
    return errorResponse(known);
  });

  return app;
}

async function callTool(options: AppOptions, context: Context): Promise<Response> {
  const { host } = options;
  const request = context.req.raw;
  let body: CallBody = {};
  let call: CallRequest;
  try {
    // Asked for first: a client may hang up while the body is read.
    const { signal } = request;
    body = checkedBody<CallBody>(await readBody(request, options.body), CALL_BODY, callToolCheck);
    call = await callRequest(options, context.req.param("name") ?? "", body, signal);
  } catch (error) {
    refused(options, context, body, knownError(error));
    throw error;
  }
  const { durationMs, ...result } = await host.call(call);
  return json({ ...result, duration_ms: durationMs });
}

/** The call that a request asks for. */
async function callRequest(
  { host, root }: AppOptions,
  tool: string,
  body: CallBody,
  signal: AbortSignal,
): Promise<CallRequest> {
  const call: CallRequest = { tool, args: body.args ?? {}, agent: "", signal };
  if (body.directory !== undefined) call.directory = await checkoutDirectory(root, body.directory);
  const agent = body.agent ?? host.defaultAgent();
  if (agent === undefined) {
    throw new BeeuniError("bad_request", "`agent` is missing, and the project has no default agent.");
  }
  call.agent = agent;
  if (body.session !== undefined) call.session = body.session;
  if (body.call !== undefined) call.call = body.call;
  if (signal.aborted) throw new BeeuniError("aborted", CANCELLED_BY_CLIENT);
  return call;
}

function refused(options: AppOptions, context: Context, body: CallBody, error: BeeuniError): void {
  options.onRefused?.({
    tool: context.req.param("name") ?? "",
    agent: body.agent ?? "",
    session: body.session ?? "",
    call: body.call ?? "",
    code: error.code,
  });
}
