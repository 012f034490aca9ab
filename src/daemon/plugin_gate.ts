import { BeeuniError } from "../errors/error.ts";
import type { FailedTool } from "../host/types.ts";
import { errorResponse, knownError } from "./error_response.ts";
import { checkSameMachine, type HostRule } from "./same_machine.ts";

/** What the plugin of a harness may do with a token of its own (docs/design-harness.md). */
export interface PluginRoutes {
  /** The harness's own files that did not load, for `failed` in the list of tools. */
  failed(): readonly FailedTool[];
  /** Whether it is such a token; compared in constant time. */
  knowsToken(token: string): boolean;
  /**
   * Answers a request that came with such a token.
   *
   * @param forward Answers a request as if it came with the daemon's own key.
   */
  answer(
    request: Request,
    token: string,
    forward: (request: Request) => Response | Promise<Response>,
  ): Promise<Response>;
}

/** Options of {@link pluginGate}. */
export interface PluginGateOptions {
  /** The daemon's app. */
  app: (request: Request) => Response | Promise<Response>;
  /** The daemon's key. */
  key: string;
  hostRule: HostRule;
  plugin: PluginRoutes | undefined;
}

/** The address of a model route. */
const MODELS = /^[^:]+:\/\/[^/]+\/beeuni\/models\//;

/** Stands in front of the daemon's app: requests with a plugin's token go to the plugin's routes, all others pass. */
export function pluginGate(
  { app, key, hostRule, plugin }: PluginGateOptions,
): (request: Request) => Response | Promise<Response> {
  function forward(request: Request): Response | Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${key}`);
    return app(new Request(request, { headers }));
  }
  async function guarded(request: Request, token: string, routes: PluginRoutes): Promise<Response> {
    try {
      checkSameMachine(request.headers, hostRule);
      return await routes.answer(request, token, forward);
    } catch (error) {
      return errorResponse(knownError(error));
    }
  }
  return (request) => {
    const token = plugin === undefined ? undefined : tokenOf(request);
    if (plugin !== undefined && token !== undefined && plugin.knowsToken(token)) {
      return guarded(request, token, plugin);
    }
    // With any other key, also the daemon's own: these models are paid for by the project's keys.
    if (MODELS.test(request.url)) {
      return errorResponse(new BeeuniError("unauthorized", "the key does not open the models."));
    }
    return app(request);
  };
}

/** The key of a request; a client of Anthropic's protocol sends it as `x-api-key`. */
function tokenOf({ headers }: Request): string | undefined {
  const bearer = /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return bearer ?? headers.get("x-api-key") ?? undefined;
}
