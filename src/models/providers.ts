import type { ModelApi } from "./types.ts";

/** A model provider that Beeuni knows by name. */
export interface Provider {
  api: ModelApi;
  /** Base of its API, with `/v1` where it has one, without a final `/`. */
  baseUrl: string;
  /** The variable its key is in; the first one that is set counts. */
  keys: readonly string[];
  /** It runs on the user's own machine and answers without a key. */
  keyless?: true;
}

/**
 * The providers by the name that stands before the `/` of a model.
 *
 * Addresses and variables are those of the providers' own documentation, as the catalogue of `@earendil-works/pi-ai`
 * 1.6 has them; Google, Mistral and the others that have an API of their own are reached at their OpenAI-compatible
 * one.
 */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    api: "anthropic-messages",
    baseUrl: "https://api.anthropic.com/v1",
    keys: ["ANTHROPIC_API_KEY"],
  },
  baseten: openAi("https://inference.baseten.co/v1", "BASETEN_API_KEY"),
  cerebras: openAi("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
  deepseek: openAi("https://api.deepseek.com", "DEEPSEEK_API_KEY"),
  fireworks: openAi("https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"),
  google: openAi(
    "https://generativelanguage.googleapis.com/v1beta/openai",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
  ),
  groq: openAi("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
  huggingface: openAi("https://router.huggingface.co/v1", "HF_TOKEN"),
  lmstudio: { ...openAi("http://127.0.0.1:1234/v1", "LMSTUDIO_API_KEY"), keyless: true },
  minimax: {
    api: "anthropic-messages",
    baseUrl: "https://api.minimax.io/anthropic/v1",
    keys: ["MINIMAX_API_KEY"],
  },
  mistral: openAi("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
  moonshotai: openAi("https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"),
  nvidia: openAi("https://integrate.api.nvidia.com/v1", "NVIDIA_API_KEY"),
  ollama: { ...openAi("http://127.0.0.1:11434/v1", "OLLAMA_API_KEY"), keyless: true },
  openai: openAi("https://api.openai.com/v1", "OPENAI_API_KEY"),
  openrouter: openAi("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
  together: openAi("https://api.together.ai/v1", "TOGETHER_API_KEY"),
  "vercel-ai-gateway": openAi("https://ai-gateway.vercel.sh/v1", "AI_GATEWAY_API_KEY"),
  xai: openAi("https://api.x.ai/v1", "XAI_API_KEY"),
  zai: openAi("https://api.z.ai/api/paas/v4", "ZAI_API_KEY"),
};

function openAi(baseUrl: string, ...keys: string[]): Provider {
  return { api: "openai-completions", baseUrl, keys };
}
