import { decidePermission } from "../../agents/permission.ts";
import { BeeuniError } from "../../errors/error.ts";
import type { FailedTool, ToolHost } from "../../host/types.ts";
import type { ModelSources } from "../../models/types.ts";
import { proxyModel } from "./model_proxy.ts";
import type { PluginCall, RunningTurns } from "./types.ts";

/** What {@link PluginAccess} needs. */
export interface PluginAccessOptions {
  host: Pick<ToolHost, "manifest" | "defaultAgent">;
  /** Where the models of the OpenCode that this daemon started are; absent = it starts none. */
  models?: ModelSources;
  /** The turns of the OpenCode that this daemon started; asked at each request, as it may be started later. */
  turns: () => RunningTurns | undefined;
  /** Files for OpenCode that did not load. */
  failed?: () => readonly FailedTool[];
  /** Whether a token is the one that `install-plugin` wrote; compared in constant time. */
  isInstalled?: (token: string) => boolean;
}

/** Answers with the daemon's own routes, as for its own key. */
export type Forward = (request: Request) => Response | Promise<Response>;

/** The largest body of a call, in bytes (specification 2.7). */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

const TOOLS = "/beeuni/tools";
const MODELS = "/beeuni/models/";

/** Why a call is refused that a person must allow. */
const UNREACHABLE = "its permission rules ask a person, and Beeuni reaches none in a server it did not start";
const NOT_ASKED = "its permission rules ask a person, and nobody allowed it when Beeuni asked";

/** What a call of the plugin says; unchecked. */
interface CallBody {
  args?: unknown;
  agent?: unknown;
  session?: unknown;
  call?: unknown;
  directory?: unknown;
}

/**
 * What a plugin's token opens: the list of the tools, a call of one, and, for an OpenCode that this daemon started, the
 * models (specification 4.1). Everything else is 401.
 *
 * A call of our own OpenCode must be one of a running turn, by the session and agent that OpenCode itself reports. In
 * a server that somebody else started nobody can check them: its plugin's word counts, for agents of the manifest.
 */
export class PluginAccess {
  readonly #options: PluginAccessOptions;

  constructor(options: PluginAccessOptions) {
    this.#options = options;
  }

  /** Files for OpenCode that did not load, as it runs now. */
  failed(): readonly FailedTool[] {
    return this.#options.failed?.() ?? [];
  }

  /** Whether a token is one of a plugin. */
  knowsToken(token: string): boolean {
    const { turns, isInstalled } = this.#options;
    return (turns()?.knowsToken(token) ?? false) || (isInstalled?.(token) ?? false);
  }

  /** Answers a request that came with `token`, one that {@link knowsToken} knows. */
  async answer(request: Request, token: string, forward: Forward): Promise<Response> {
    const own = this.#options.turns()?.knowsToken(token) ?? false;
    const { pathname } = new URL(request.url);
    try {
      if (request.method === "GET" && pathname === TOOLS) return await forward(request);
      const tool = new RegExp(`^${TOOLS}/([^/]+)$`).exec(pathname)?.[1];
      if (request.method === "POST" && tool !== undefined) {
        return await this.#call(request, decodeURIComponent(tool), own, forward);
      }
      const sources = this.#options.models;
      if (own && sources !== undefined && pathname.startsWith(MODELS)) {
        const [provider = "", ...rest] = pathname.slice(MODELS.length).split("/");
        return await proxyModel(request, decodeURIComponent(provider), rest.join("/"), { sources });
      }
      throw new BeeuniError(
        "unauthorized",
        "the plugin's key opens only the list of tools, their calls and models.",
      );
    } catch (error) {
      if (error instanceof BeeuniError) return errorAnswer(error);
      if (error instanceof URIError) {
        return errorAnswer(new BeeuniError("bad_request", "the path is malformed."));
      }
      throw error;
    }
  }

  async #call(request: Request, tool: string, own: boolean, forward: Forward): Promise<Response> {
    const body = await readCall(request);
    if (!own) {
      this.#checkRules(tool, body, text(body.agent) ?? this.#options.host.defaultAgent() ?? "", [
        "deny",
        "ask",
      ]);
      const { args, agent, session, directory } = body;
      const call = hostCall(text(session) ?? "", text(body.call) ?? "");
      return await forward(withBody(request, { args, agent, session, directory, call }));
    }
    const call: PluginCall = {
      tool,
      session: text(body.session) ?? "",
      agent: text(body.agent) ?? "",
      call: text(body.call) ?? "",
    };
    const caller = await this.#options.turns()?.callerOf(call);
    if (caller === undefined) throw forbidden(call.agent, tool, "no turn of this agent runs in that session");
    let ended = false;
    const end = (status: "completed" | "error" | "aborted" | "refused", file?: string) => {
      ended = true;
      this.#options.turns()?.callEnded(call, { status, ...file !== undefined && { file } });
    };
    try {
      const allowed = this.#options.turns()?.isAllowed(call, body.args) ?? false;
      this.#checkRules(tool, body, caller.agent, allowed ? ["deny"] : ["deny", "ask"], NOT_ASKED);
      const { args, directory } = body;
      const answer = await forward(withBody(request, {
        args,
        directory,
        agent: caller.agent,
        session: caller.session,
        call: hostCall(call.session, call.call),
      }));
      const told = await answer.text();
      end(statusOf(answer.status), fileOf(told));
      return new Response(told, { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (!ended) end(error instanceof BeeuniError ? statusOf(error.status) : "error");
      throw error;
    }
  }

  /**
   * The agent's rules, once more than the plugin asked: whoever has its token, or the password of OpenCode's server, must
   * not get round them.
   */
  #checkRules(
    tool: string,
    { args }: CallBody,
    agent: string,
    refused: readonly string[],
    unasked = UNREACHABLE,
  ): void {
    const { host } = this.#options;
    const { agents, root } = host.manifest();
    const given = typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
    const rules = agents.get(agent)?.permission;
    const action = decidePermission(rules, tool, given as Record<string, unknown>, { root });
    if (!refused.includes(action)) return;
    throw forbidden(
      agent,
      tool,
      action === "deny" ? "its permission rules deny this call" : unasked,
    );
  }
}

function forbidden(agent: string, tool: string, why: string): BeeuniError {
  return new BeeuniError("agent_forbidden", `agent ${agent} may not use ${tool}: ${why}.`);
}

async function readCall(request: Request): Promise<CallBody> {
  const length = Number(request.headers.get("content-length") ?? NaN);
  if (!(length <= MAX_BODY_BYTES)) {
    throw new BeeuniError("body_too_large", "the body of a call is over 8 MiB.");
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder().decode(await request.bytes()));
  } catch (cause) {
    throw new BeeuniError("bad_request", "the request body is not JSON.", { cause });
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new BeeuniError("bad_request", "the request body must be an object.");
  }
  return body;
}

/** The same request with another body; it ends when the first one's client goes. */
function withBody(request: Request, body: CallBody): Request {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const headers = new Headers(request.headers);
  headers.set("content-length", String(bytes.length));
  return new Request(request.url, { method: "POST", headers, body: bytes, signal: request.signal });
}

/** The host's id of a call. OpenCode's are the model's own: of any characters, and two sessions may have the same. */
function hostCall(session: string, call: string): string {
  return `${session}.${call}`.replace(/[^\w-]+/g, ".").slice(0, 128);
}

function statusOf(status: number): "completed" | "error" | "aborted" | "refused" {
  if (status === 200) return "completed";
  if (status === 499) return "aborted";
  return status === 403 || status === 404 ? "refused" : "error";
}

/** The file with the whole output, of an answer that names one. */
function fileOf(answer: string): string | undefined {
  const start = /"file":/.test(answer) ? JSON.parse(answer) as { file?: unknown } : {};
  return text(start.file);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function errorAnswer(error: BeeuniError): Response {
  const body = {
    error: error.message,
    code: error.code,
    ...error.hint !== undefined && { hint: error.hint },
  };
  return Response.json(body, { status: error.status });
}
