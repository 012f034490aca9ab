import { BeeuniError } from "../../errors/error.ts";
import { modelError } from "../../models/model_failure.ts";
import { resolveModel } from "../../models/resolve_model.ts";
import type { ModelApi, ModelEndpoint, ModelSources } from "../../models/types.ts";

/** A model that sends nothing for so long has failed, in milliseconds. */
const SILENCE_MS = 5 * 60_000;

/** The largest request, in bytes: a long conversation with pictures. */
const MAX_REQUEST_BYTES = 64 * 1024 * 1024;

/** How much of a provider's words about a failure is read, in bytes. */
const MAX_WORDS_BYTES = 64 * 1024;

/** What follows the provider's base in a request, by protocol. */
const PATHS: Readonly<Record<ModelApi, string>> = {
  "openai-completions": "chat/completions",
  "anthropic-messages": "messages",
};

/** Headers of a request that the provider gets too; none can carry a key. */
const PASSED = ["accept", "content-type", "anthropic-version", "anthropic-beta"];

/** Headers of an answer that OpenCode gets too: what it is, and when to ask again. */
const ANSWERED = ["content-type", "retry-after", "retry-after-ms"];

/** Options of {@link proxyModel}. */
export interface ModelProxyOptions {
  sources: ModelSources;
  /** Default five minutes. */
  silenceMs?: number;
}

/**
 * Sends OpenCode's request on to the model's provider with the real key, and the answer back as it comes
 * (docs/design-harness.md). The request's own key, OpenCode's way in, does not go on.
 *
 * It hangs up on the provider when OpenCode hangs up. What fails is answered in the providers' form,
 * `{ error: { message, code } }`, in words that say what to change and never hold the key.
 *
 * @param provider As in `<provider>/<model>`.
 * @param path What follows `/beeuni/models/<provider>/`.
 */
export async function proxyModel(
  request: Request,
  provider: string,
  path: string,
  options: ModelProxyOptions,
): Promise<Response> {
  try {
    return await send(request, provider, path, options);
  } catch (error) {
    if (error instanceof BeeuniError) return failure(error.status, error);
    throw error;
  }
}

async function send(
  request: Request,
  provider: string,
  path: string,
  { sources, silenceMs = SILENCE_MS }: ModelProxyOptions,
): Promise<Response> {
  const { body, model } = await readRequest(request);
  const endpoint = resolveModel(`${provider}/${model}`, sources);
  if (request.method !== "POST" || path !== PATHS[endpoint.api]) {
    throw new BeeuniError("route_not_found", `the model ${endpoint.ref} has no ${request.method} ${path}.`);
  }
  const upstream = new AbortController();
  const hangUp = () => upstream.abort(request.signal.reason);
  request.signal.addEventListener("abort", hangUp, { once: true });
  if (request.signal.aborted) hangUp();
  const watch = silenceWatch(silenceMs, () => upstream.abort());
  let answer: Response;
  try {
    answer = await fetch(`${endpoint.baseUrl}/${path}`, {
      method: "POST",
      headers: headersFor(request.headers, endpoint),
      body,
      signal: upstream.signal,
      // A redirect would take the key elsewhere.
      redirect: "manual",
    });
    watch.heard();
    if (answer.ok) {
      return passOn(answer, watch, upstream, () => request.signal.removeEventListener("abort", hangUp));
    }
    const said = await beginning(answer);
    upstream.abort();
    watch.end();
    const known = modelError(endpoint, { kind: "status", status: answer.status, body: said });
    return failure(answer.status < 400 ? 502 : answer.status, known, answer.headers);
  } catch (cause) {
    watch.end();
    if (request.signal.aborted) {
      throw new BeeuniError("aborted", "the request to the model was stopped.", { cause });
    }
    if (watch.silent) return failure(504, modelError(endpoint, { kind: "silence", ms: silenceMs }));
    return failure(502, modelError(endpoint, { kind: "network", reason: reasonOf(cause) }));
  }
}

async function readRequest(request: Request): Promise<{ body: Uint8Array<ArrayBuffer>; model: string }> {
  const length = Number(request.headers.get("content-length") ?? NaN);
  if (!(length <= MAX_REQUEST_BYTES)) {
    throw new BeeuniError("body_too_large", "the request to the model is too large.");
  }
  const body = await request.bytes();
  let model: unknown;
  try {
    model = (JSON.parse(new TextDecoder().decode(body)) as { model?: unknown }).model;
  } catch {
    // Said below.
  }
  if (typeof model !== "string") throw new BeeuniError("bad_request", "the request names no model.");
  return { body, model };
}

function headersFor(given: Headers, { api, apiKey }: ModelEndpoint): Headers {
  const headers = new Headers();
  for (const name of PASSED) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  // A compressed answer would be held back until a block is full.
  headers.set("accept-encoding", "identity");
  if (apiKey === "") return headers;
  if (api === "anthropic-messages") headers.set("x-api-key", apiKey);
  else headers.set("authorization", `Bearer ${apiKey}`);
  return headers;
}

/** The provider's answer, each part of it when it comes. */
function passOn(answer: Response, watch: Silence, upstream: AbortController, over: () => void): Response {
  const reader = answer.body?.getReader();
  const end = () => {
    watch.end();
    over();
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const part = await reader?.read();
        if (part === undefined || part.done) {
          end();
          return controller.close();
        }
        watch.heard();
        controller.enqueue(part.value);
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel() {
      end();
      upstream.abort();
    },
  }, { highWaterMark: 0 });
  return new Response(body, { status: answer.status, headers: kept(answer.headers) });
}

function kept(given: Headers): Headers {
  const headers = new Headers();
  for (const name of ANSWERED) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** An error in the providers' form; OpenCode shows the message. */
function failure(status: number, error: BeeuniError, from: Headers = new Headers()): Response {
  const headers = kept(from);
  headers.set("content-type", "application/json");
  const message = error.hint === undefined ? error.message : `${error.message} → ${error.hint}`;
  const body = { error: { message, type: error.code, code: error.code } };
  return new Response(JSON.stringify(body), { status, headers });
}

async function beginning(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; reader !== undefined && size < MAX_WORDS_BYTES;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error
    ? (cause.cause instanceof Error ? cause.cause : cause).message
    : String(cause);
  return text.replace(/^error sending request for url \([^)]*\):? ?/, "").replace(/ \(os error \d+\)/g, "");
}

/** Says when nothing was heard for too long. */
interface Silence {
  readonly silent: boolean;
  heard(): void;
  end(): void;
}

function silenceWatch(ms: number, onSilence: () => void): Silence {
  let silent = false;
  let timer: ReturnType<typeof setTimeout>;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      silent = true;
      onSilence();
    }, ms);
  };
  heard();
  return {
    get silent() {
      return silent;
    },
    heard,
    end: () => clearTimeout(timer),
  };
}
