import type { runAgentLoop, StreamFn } from "@earendil-works/pi-agent-core";
import type { Api, Model } from "@earendil-works/pi-ai";
import { PROVIDERS } from "../../models/providers.ts";
import type { ModelEndpoint } from "../../models/types.ts";

/** The parts of the library that run a turn. */
export interface Pi {
  runAgentLoop: typeof runAgentLoop;
  stream: StreamFn;
  model: Model<Api>;
}

/**
 * Most tokens of an answer of a model whose API wants to be told and that the catalogue does not have: what every model
 * of that API takes since 2025.
 */
const DEFAULT_MAX_TOKENS = 32_000;

/** Loads the agent loop and the protocol that `endpoint` speaks; nothing of it is loaded before the first turn. */
export async function loadPi(endpoint: ModelEndpoint): Promise<Pi> {
  const [{ runAgentLoop }, stream, model] = await Promise.all([
    import("@earendil-works/pi-agent-core"),
    loadStream(endpoint.api),
    piModel(endpoint),
  ]);
  return { runAgentLoop, stream, model };
}

async function loadStream(api: ModelEndpoint["api"]): Promise<StreamFn> {
  if (api === "anthropic-messages") {
    const { streamSimple } = await import("@earendil-works/pi-ai/api/anthropic-messages");
    return (model, context, options) => streamSimple(model as Model<"anthropic-messages">, context, options);
  }
  const { streamSimple } = await import("@earendil-works/pi-ai/api/openai-completions");
  return (model, context, options) => streamSimple(model as Model<"openai-completions">, context, options);
}

async function piModel(endpoint: ModelEndpoint): Promise<Model<Api>> {
  const own = Object.hasOwn(PROVIDERS, endpoint.provider) ? PROVIDERS[endpoint.provider] : undefined;
  const common = {
    id: endpoint.model,
    name: endpoint.model,
    // The library adapts a request to a provider it knows by name. A server of the user's own is none of them.
    provider: own?.baseUrl === endpoint.baseUrl ? endpoint.provider : "openai-compatible",
    reasoning: false,
    input: ["text" as const],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  if (endpoint.api === "anthropic-messages") {
    const { ANTHROPIC_MODELS } = await import("@earendil-works/pi-ai/providers/anthropic.models");
    const known = Object.values<Model<Api>>(ANTHROPIC_MODELS).find(({ id }) => id === endpoint.model);
    return {
      ...common,
      api: "anthropic-messages",
      // The library adds `/v1/messages`.
      baseUrl: endpoint.baseUrl.replace(/\/v1$/, ""),
      contextWindow: known?.contextWindow ?? 0,
      maxTokens: known?.maxTokens ?? DEFAULT_MAX_TOKENS,
    };
  }
  return {
    ...common,
    api: "openai-completions",
    baseUrl: endpoint.baseUrl,
    // Neither is sent, see `exactPayload`; 0 = not known.
    contextWindow: 0,
    maxTokens: DEFAULT_MAX_TOKENS,
    // Only OpenAI's own API has the field; some servers refuse what they don't know.
    ...(common.provider !== "openai" && { compat: { supportsStore: false } }),
  };
}
