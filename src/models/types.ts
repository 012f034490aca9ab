/** Which of the two protocols a provider speaks. */
export type ModelApi = "openai-completions" | "anthropic-messages";

/** A model, and how it is reached. */
export interface ModelEndpoint {
  /** As given: `<provider>/<model>`. */
  ref: string;
  provider: string;
  /** The model's id at its provider; may contain `/`. */
  model: string;
  api: ModelApi;
  /** Base of the provider's API, with `/v1` where it has one, without a final `/`. */
  baseUrl: string;
  /** The key; `""` for a server that needs none. Never logged, stored or sent to a harness's process. */
  apiKey: string;
}

/** Where models and their keys are looked up. */
export interface ModelSources {
  /** A variable of the daemon's environment. */
  env: (name: string) => string | undefined;
  /** A stored secret, whoever it is granted to; `undefined` when it is not set. */
  secret: (name: string) => string | undefined;
}
