import { BeeuniError } from "../errors/error.ts";
import { BASE_URL_VARIABLE } from "./model_base_url.ts";
import { keyVariable } from "./resolve_model.ts";
import type { ModelEndpoint } from "./types.ts";

/** What went wrong with a request to a model. */
export type ModelFailure =
  /** It answered with this HTTP status; `body` is the beginning of what it said. */
  | { kind: "status"; status: number; body: string }
  /** It can't be reached, or the connection broke. */
  | { kind: "network"; reason: string }
  /** It sent nothing for so long. */
  | { kind: "silence"; ms: number }
  /** It answered, and the answer can't be used. */
  | { kind: "answer"; reason: string };

/** How much of a provider's own words an error repeats, in UTF-16 units. */
const MAX_WORDS = 300;

/** What providers call a conversation that is too long; 413 is one of its statuses. */
const TOO_LONG =
  /context.{0,20}(?:length|window|size)|(?:prompt|input|request).{0,30}(?:too (?:long|large)|exceeds)|too many tokens|reduce the length|maximum prompt length|token limit|request_too_large|input length/i;

/**
 * The error a user sees when a model could not be asked: it names the provider and its host, never the key.
 *
 * @returns `model_key` when the key was refused, `model_failed` otherwise.
 */
export function modelError(endpoint: ModelEndpoint, failure: ModelFailure): BeeuniError {
  const at = `${endpoint.ref} at ${URL.parse(endpoint.baseUrl)?.host ?? "its server"}`;
  switch (failure.kind) {
    case "silence":
      return failed(
        `the model ${at} sent nothing for ${Math.round(failure.ms / 1000)} s and was given up`,
        "Try again, or name another model with --model.",
      );
    case "network":
      return failed(
        `the model ${at} can't be reached: ${words(endpoint, failure.reason)}`,
        `Check the network${addressHint(endpoint)}, then send the prompt again.`,
      );
    case "answer":
      return failed(
        `the answer of the model ${at} can't be used: ${words(endpoint, failure.reason)}`,
        "Send the prompt again, or name another model with --model.",
      );
    case "status":
      return statusError(endpoint, at, failure.status, words(endpoint, failure.body));
  }
}

function statusError(endpoint: ModelEndpoint, at: string, status: number, said: string): BeeuniError {
  const why = said === "" ? "" : `: ${said}`;
  if (status === 401 || status === 403) {
    const name = keyVariable(endpoint);
    // What it said is left out: providers repeat parts of the key.
    const secret = name.startsWith("BEEUNI_") ? "" : `, or store it with \`beeuni secrets set ${name}=-\``;
    return new BeeuniError("model_key", `the model ${at} refused the key in ${name} (HTTP ${status})`, {
      hint: `Set ${name} to a key that may use ${endpoint.model}${secret}.`,
    });
  }
  if (status === 413 || (status < 500 && status !== 429 && TOO_LONG.test(said))) {
    return failed(
      `the conversation is longer than the model ${at} takes (HTTP ${status})${why}`,
      "Start a new session with `beeuni sessions new`, or name a model with a longer context.",
    );
  }
  if (status === 404) {
    return failed(
      `the model ${at} was not found (HTTP 404)${why}`,
      `Check the model's name${addressHint(endpoint)}.`,
    );
  }
  if (status === 429) {
    return failed(
      `the model ${at} takes no more requests now (HTTP 429)${why}`,
      "Wait, or check the limits and the credit of the account.",
    );
  }
  if (status >= 500) {
    return failed(`the model ${at} failed (HTTP ${status})${why}`, "Send the prompt again later.");
  }
  return failed(
    `the model ${at} refused the request (HTTP ${status})${why}`,
    "Name another model with --model, or start a new session.",
  );
}

function failed(message: string, hint: string): BeeuniError {
  return new BeeuniError("model_failed", message, { hint });
}

function addressHint(endpoint: ModelEndpoint): string {
  return keyVariable(endpoint).startsWith("BEEUNI_") ? ` and that ${BASE_URL_VARIABLE} has its /v1` : "";
}

/** The provider's own words, on one line, bounded, without the key. */
function words(endpoint: ModelEndpoint, text: string): string {
  let said = messageIn(text);
  if (endpoint.apiKey !== "") said = said.replaceAll(endpoint.apiKey, "***");
  said = said.replace(/\s+/g, " ").trim();
  return said.length > MAX_WORDS ? `${said.slice(0, MAX_WORDS)}…`.toWellFormed() : said;
}

/** The message in a JSON error of the forms `{ error: { message } }`, `{ error }` and `{ message }`. */
function messageIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const error = field(value, "error") ?? value;
    for (const found of [field(error, "message"), error, field(value, "detail")]) {
      if (typeof found === "string" && found !== "") return found;
    }
  } catch {
    // Not JSON: an HTML page of a proxy, or plain text.
  }
  return /^\s*</.test(text) ? "it answered with a web page" : text;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
