import { BeeuniError } from "../errors/error.ts";
import { nearest } from "../manifest/nearest.ts";
import { BASE_URL_KEY_VARIABLE, BASE_URL_VARIABLE, modelBaseUrl } from "./model_base_url.ts";
import { type Provider, PROVIDERS } from "./providers.ts";
import type { ModelEndpoint, ModelSources } from "./types.ts";

const NAMING = "--model <provider>/<model> or agents.<name>.model in beeuni.yaml";

/** The providers that an error names; the table has more. */
const KNOWN = ["anthropic", "openai", "openrouter", "google", "mistral", "groq"];

/**
 * Which model answers, where it is reached and with which key (specification 4.2).
 *
 * With `BEEUNI_MODEL_BASE_URL` every provider name leads to that OpenAI-compatible server. Otherwise the provider's
 * key is a stored secret or a variable of the environment. The secret wins, as it does in a tool's `context.env`: it
 * was set for this project.
 *
 * @param ref `<provider>/<model>` from `--model`, else the agent's own; absent or empty when neither is given.
 * @throws {BeeuniError} `no_model` when none is named, its provider is not known or `BEEUNI_MODEL_BASE_URL` is wrong;
 *   `model_key` when its key is not set.
 */
export function resolveModel(ref: string | undefined, sources: ModelSources): ModelEndpoint {
  if (ref === undefined || ref.trim() === "") throw noModel();
  const { provider, model } = parseRef(ref.trim());
  const base = sources.env(BASE_URL_VARIABLE)?.trim();
  if (base) {
    return {
      ref: ref.trim(),
      provider,
      model,
      api: "openai-completions",
      baseUrl: modelBaseUrl(base),
      apiKey: checkedKey(sources.env(BASE_URL_KEY_VARIABLE), BASE_URL_KEY_VARIABLE) ?? "",
    };
  }
  const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider]! : undefined;
  if (known === undefined) throw unknownProvider(ref.trim(), provider);
  const apiKey = keyOf(known, sources);
  if (apiKey === undefined && !known.keyless) throw missingKey(ref.trim(), known.keys[0]!);
  return {
    ref: ref.trim(),
    provider,
    model,
    api: known.api,
    baseUrl: known.baseUrl,
    apiKey: apiKey ?? "",
  };
}

/** The variable whose value is the key of this endpoint: what an error about a key names. */
export function keyVariable(endpoint: Pick<ModelEndpoint, "provider" | "baseUrl">): string {
  const known = Object.hasOwn(PROVIDERS, endpoint.provider) ? PROVIDERS[endpoint.provider]! : undefined;
  return known?.baseUrl === endpoint.baseUrl ? known.keys[0]! : BASE_URL_KEY_VARIABLE;
}

function parseRef(ref: string): { provider: string; model: string } {
  const slash = ref.indexOf("/");
  const [provider, model] = [ref.slice(0, slash), ref.slice(slash + 1)];
  if (slash <= 0 || model === "" || /\s/.test(ref)) {
    throw new BeeuniError(
      "no_model",
      `the model ${
        JSON.stringify(ref.slice(0, 200))
      } can't be used: a model is written <provider>/<model>, ` +
        "such as openai/gpt-5.1",
      { hint: `Correct it in ${NAMING}.` },
    );
  }
  return { provider, model };
}

function keyOf(provider: Provider, sources: ModelSources): string | undefined {
  for (const name of provider.keys) {
    const value = checkedKey(sources.secret(name), name) ?? checkedKey(sources.env(name), name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The key without surrounding white space, which a pasted one often has; a header can't hold control characters. */
function checkedKey(value: string | undefined, name: string): string | undefined {
  const key = value?.trim();
  if (key === undefined || key === "") return undefined;
  // deno-lint-ignore no-control-regex -- they are what is looked for
  if (/[\x00-\x1f\x7f]|[^\x00-\xff]/.test(key)) {
    throw new BeeuniError("model_key", `the model can't be asked: the value of ${name} is not a key`, {
      hint:
        `Set it to one line of plain letters, digits and signs, for example with \`beeuni secrets set ${name}=-\`.`,
    });
  }
  return key;
}

/** What somebody stumbles over who sets a variable after the first session. */
const KEEPS_VARIABLES =
  "A daemon that runs keeps the variables it was started with: `beeuni daemon stop`, and the next command starts one.";

/** The message alone says all of it: it is what is kept with a session. */
function noModel(): BeeuniError {
  return new BeeuniError(
    "no_model",
    `no model is configured: name one with ${NAMING}, and give its provider's key (ANTHROPIC_API_KEY, ` +
      `OPENAI_API_KEY, …) or ${BASE_URL_VARIABLE}`,
    {
      hint: "Set the key in the daemon's environment or with `beeuni secrets set NAME=-`. " +
        `${BASE_URL_VARIABLE} (with its /v1) and ${BASE_URL_KEY_VARIABLE} are for any OpenAI-compatible server. ` +
        KEEPS_VARIABLES,
    },
  );
}

function unknownProvider(ref: string, provider: string): BeeuniError {
  const near = nearest(provider.toLowerCase(), Object.keys(PROVIDERS));
  const known = near === undefined ? `known are ${KNOWN.join(", ")} and others` : `did you mean ${near}?`;
  return new BeeuniError(
    "no_model",
    `the model ${ref} can't be reached: ${provider} is no known provider; ${known}`,
    {
      hint:
        `Correct it in ${NAMING}, or set ${BASE_URL_VARIABLE} (with its /v1) and ${BASE_URL_KEY_VARIABLE} ` +
        `to reach any OpenAI-compatible server under this name. ${KEEPS_VARIABLES}`,
    },
  );
}

function missingKey(ref: string, name: string): BeeuniError {
  return new BeeuniError("model_key", `the model ${ref} can't be asked: ${name} is not set`, {
    hint:
      `Store the key with \`beeuni secrets set ${name}=-\`, or set ${name} in the daemon's environment. ` +
      KEEPS_VARIABLES,
  });
}
