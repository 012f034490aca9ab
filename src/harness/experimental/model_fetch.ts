import type { ModelFailure } from "../../models/model_failure.ts";

/** How much of an error's body is kept, in bytes. */
const MAX_ERROR_BODY = 16 * 1024;

/**
 * What one answer may be, in bytes as they are sent and in milliseconds: 128,000 tokens, each in an event of its own, are
 * 45 MB. More than that comes from a server that never ends, and would cost the daemon its memory.
 */
const ANSWER_LIMITS: AnswerLimits = { bytes: 64 * 1024 * 1024, ms: 60 * 60_000 };

/** Bounds of one answer. */
export interface AnswerLimits {
  bytes: number;
  /** From its request on; comments keep an answer alive, but not for longer. */
  ms: number;
}

/** `fetch` for requests to a model, which remembers how the last one failed. */
export interface ModelFetch {
  fetch: typeof fetch;
  /** How the last request failed; `undefined` when it did not, or was aborted by its caller. */
  failure(): ModelFailure | undefined;
}

/**
 * A `fetch` that gives up when the server sends nothing for `silenceMs`: before its answer and in the midst of it. The
 * comments that some providers send while a model thinks count as something. An answer that goes on beyond `limits` is
 * given up too.
 */
export function modelFetch(silenceMs: number, limits: AnswerLimits = ANSWER_LIMITS): ModelFetch {
  let failure: ModelFailure | undefined;

  async function request(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    failure = undefined;
    const silent = new AbortController();
    const given = init.signal ?? undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const began = performance.now();
    let bytes = 0;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), silenceMs);
    };
    const took = (piece: Uint8Array) => {
      heard();
      bytes += piece.length;
      if (bytes > limits.bytes) {
        throw new EndlessAnswer(`it is longer than ${limits.bytes / 1024 / 1024} MiB`);
      }
      if (performance.now() - began > limits.ms) {
        throw new EndlessAnswer(`it was not over after ${limits.ms / 60_000} minutes`);
      }
    };
    const over = (error?: unknown) => {
      clearTimeout(timer);
      if (error === undefined || given?.aborted) return;
      if (error instanceof EndlessAnswer) failure = { kind: "answer", reason: error.message };
      else if (silent.signal.aborted) failure = { kind: "silence", ms: silenceMs };
      else failure = { kind: "network", reason: networkReason(error) };
    };
    heard();
    try {
      const signal = given == null ? silent.signal : AbortSignal.any([given, silent.signal]);
      const response = await fetch(input, { ...init, signal });
      heard();
      if (response.ok) {
        if (response.body === null) {
          over();
          return response;
        }
        return new Response(watched(response.body, took, over), response);
      }
      const body = await beginning(response.body);
      over();
      failure = { kind: "status", status: response.status, body };
      return new Response(body, { status: response.status, headers: response.headers });
    } catch (error) {
      over(error);
      // A second wait as long is not wanted: an answer is how the library is told not to ask again.
      if (silent.signal.aborted && !given?.aborted) {
        return new Response(null, { status: 504, headers: { "x-should-retry": "false" } });
      }
      throw error;
    }
  }

  return { fetch: request, failure: () => failure };
}

/** An answer that goes on beyond its limits. */
class EndlessAnswer extends Error {}

/** `body`, telling of every piece and of its end; `took` may throw to end it. */
function watched(
  body: ReadableStream<Uint8Array>,
  took: (piece: Uint8Array) => void,
  over: (error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        // Who reads it has had enough: that is no failure of the connection.
        if (left) return;
        if (done) {
          over();
          controller.close();
        } else {
          took(value);
          controller.enqueue(value);
        }
      } catch (error) {
        if (left) return;
        over(error);
        controller.error(error);
        void reader.cancel(error).catch(() => {});
      }
    },
    cancel(reason) {
      left = true;
      over();
      return reader.cancel(reason);
    },
  });
}

/** The beginning of an error's body as text; the rest is not waited for. */
async function beginning(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of body) {
    text += decoder.decode(piece.subarray(0, MAX_ERROR_BODY - bytes), { stream: true });
    bytes += piece.length;
    if (bytes >= MAX_ERROR_BODY) break;
  }
  return text;
}

/** The innermost reason of a failed request, without the address, which the error names anyway. */
function networkReason(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  const text = reason instanceof Error ? reason.message : String(reason);
  return text.replace(/^error sending request(?: from \S+)? for (?:url )?\(?[^\s)]*\)?[^:]*: /, "");
}
