import type { Agent, Manifest } from "../../manifest/model.ts";
import { BASE_URL_VARIABLE } from "../../models/model_base_url.ts";
import { PROVIDERS } from "../../models/providers.ts";
import type { ModelApi, ModelEndpoint, ModelSources } from "../../models/types.ts";
import { opencodeModel } from "./opencode_model.ts";
import { opencodePermission } from "./opencode_permission.ts";

/** What OpenCode's configuration is made of. */
export interface OpenCodeConfigOptions {
  manifest: Pick<Manifest, "agents">;
  /** The agent of a session that names none. */
  defaultAgent?: string | undefined;
  /** Names of the tools that the plugin brings. */
  hosted: readonly string[];
  /** Models that sessions use besides those of the agents. */
  models: readonly Pick<ModelEndpoint, "ref" | "api">[];
  sources: Pick<ModelSources, "env">;
  /** Where the daemon listens, without a final `/`. */
  daemonUrl: string;
  /** Folder with the outputs that were too long, absolute. */
  spillRoot: string;
  /** What `harnesses/opencode` adds: keys of its own, and per agent what the manifest does not say. */
  imported?: ImportedConfig;
}

/** What a project's own OpenCode files add to the configuration. */
export interface ImportedConfig {
  /** Keys of its opencode.json. */
  config: Record<string, unknown>;
  /** Per agent of the manifest: `prompt`, `description` and the like. */
  agents: ReadonlyMap<string, Record<string, unknown>>;
}

/** Agents that OpenCode brings; a project has its own. `title` names sessions, which Beeuni does itself. */
const NATIVE_AGENTS = ["build", "plan", "general", "explore", "title"];

const PACKAGES: Readonly<Record<ModelApi, string>> = {
  "openai-completions": "@ai-sdk/openai-compatible",
  "anthropic-messages": "@ai-sdk/anthropic",
};

/**
 * What a model is taken to bear, in tokens: nothing here knows it better, and what a provider refuses it says itself.
 * OpenCode asks for at most so much output, and makes the conversation shorter when it comes near the context.
 */
const LIMIT = { context: 128_000, output: 16_384 };

/**
 * OpenCode's configuration for a project (specification 4.1): exactly the manifest's agents, providers that lead to the
 * daemon, and nothing that needs a network.
 */
export function opencodeConfig(options: OpenCodeConfigOptions): Record<string, unknown> {
  const { manifest, imported } = options;
  const agents = [...manifest.agents.values()].filter(({ name }) => isAgentName(name));
  const apis = apisOf(agents.flatMap(({ model }) => model ?? []), options);
  const known = [...apis.keys()];
  const providers = providersOf(apis, options);
  const first = known.find((ref) => ref === manifest.agents.get(options.defaultAgent ?? "")?.model) ??
    known[0];
  const primary = [options.defaultAgent, ...manifest.agents.keys()].find((name) => {
    const agent = manifest.agents.get(name ?? "");
    return agent !== undefined && isAgentName(agent.name) && modeOf(agent, imported) !== "subagent";
  });
  return {
    $schema: "https://opencode.ai/config.json",
    ...imported?.config,
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    lsp: false,
    formatter: false,
    // Two lines and bytes more than the host's own limit: OpenCode counts a final newline as a line.
    tool_output: { max_lines: 2001, max_bytes: 51_200 },
    ...primary !== undefined && { default_agent: primary },
    ...first !== undefined && { model: named(first), small_model: named(first) },
    // A refused call is an answer to the model, as on the other harness, and not the end of the turn.
    experimental: { continue_loop_on_deny: true },
    enabled_providers: Object.keys(providers),
    provider: providers,
    agent: {
      ...Object.fromEntries(
        NATIVE_AGENTS.filter((name) => !manifest.agents.has(name)).map((name) => [name, { disable: true }]),
      ),
      ...Object.fromEntries(agents.map((agent) => [agent.name, agentConfig(agent, known, options)])),
    },
  };
}

/**
 * Whether OpenCode can have an agent of this name: with one that every JavaScript object has, such as `constructor`, it
 * fails every prompt of every agent.
 */
export function isAgentName(name: string): boolean {
  return !(name in Object.prototype);
}

function agentConfig(
  agent: Agent,
  known: readonly string[],
  { hosted, spillRoot, imported }: OpenCodeConfigOptions,
): Record<string, unknown> {
  const { prompt, description, model } = agent;
  return {
    ...imported?.agents.get(agent.name),
    disable: false,
    mode: modeOf(agent, imported),
    ...prompt !== undefined && { prompt },
    ...description !== undefined && { description },
    ...model !== undefined && known.includes(model) && { model: named(model) },
    permission: opencodePermission(agent, { hosted, folders: [spillRoot] }),
  };
}

/** What an agent is for: the manifest says so, else its own file. */
function modeOf(agent: Agent, imported: ImportedConfig | undefined): string {
  const own = imported?.agents.get(agent.name)?.mode;
  return agent.mode ?? (own === "primary" || own === "subagent" ? own : "all");
}

/** The models that can be named, and the protocol of each; one whose provider nobody knows is left out. */
function apisOf(refs: readonly string[], { models, sources }: OpenCodeConfigOptions): Map<string, ModelApi> {
  const found = new Map<string, ModelApi>();
  const everything = Boolean(sources.env(BASE_URL_VARIABLE)?.trim());
  for (const ref of refs) {
    const provider = /^([^/]+)\/./.exec(ref)?.[1];
    if (provider === undefined) continue;
    if (everything) found.set(ref, "openai-completions");
    else if (Object.hasOwn(PROVIDERS, provider)) found.set(ref, PROVIDERS[provider]!.api);
  }
  for (const { ref, api } of models) found.set(ref, api);
  return found;
}

/** The providers of these models, by OpenCode's name. */
function providersOf(apis: ReadonlyMap<string, ModelApi>, { daemonUrl }: OpenCodeConfigOptions) {
  const found: Record<string, { models: Record<string, unknown> } & Record<string, unknown>> = {};
  for (const [ref, api] of apis) {
    const { providerID, modelID } = opencodeModel(ref);
    const provider = ref.slice(0, ref.indexOf("/"));
    found[providerID] ??= {
      npm: PACKAGES[api],
      name: provider,
      options: {
        baseURL: `${daemonUrl}/beeuni/models/${encodeURIComponent(provider)}`,
        // The plugin puts the key to the daemon in its place.
        apiKey: "none",
        // The daemon knows when a provider is silent; a long answer is none.
        timeout: false,
      },
      models: {},
    };
    found[providerID].models[modelID] = { name: modelID, tool_call: true, limit: LIMIT };
  }
  return found;
}

function named(ref: string): string {
  const { providerID, modelID } = opencodeModel(ref);
  return `${providerID}/${modelID}`;
}
