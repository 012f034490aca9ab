import type { ModelFailure } from "../../models/model_failure.ts";

/** How much of an error's body is kept, in bytes. */
const MAX_ERROR_BODY = 16 * 1024;

/** `fetch` for requests to a model, which remembers how the last one failed. */
export interface ModelFetch {
  fetch: typeof fetch;
  /** How the last request failed; `undefined` when it did not, or was aborted by its caller. */
  failure(): ModelFailure | undefined;
}

/**
 * A `fetch` that gives up when the server sends nothing for `silenceMs`: before its answer and in the midst of it. The
 * comments that some providers send while a model thinks count as something.
 */
export function modelFetch(silenceMs: number): ModelFetch {
  let failure: ModelFailure | undefined;

  async function request(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    failure = undefined;
    const silent = new AbortController();
    const given = init.signal ?? undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), silenceMs);
    };
    const over = (error?: unknown) => {
      clearTimeout(timer);
      if (error === undefined || given?.aborted) return;
      failure = silent.signal.aborted
        ? { kind: "silence", ms: silenceMs }
        : { kind: "network", reason: networkReason(error) };
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
        return new Response(watched(response.body, heard, over), response);
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

/** `body`, telling of every piece and of its end. */
function watched(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
  over: (error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          over();
          controller.close();
        } else {
          heard();
          controller.enqueue(value);
        }
      } catch (error) {
        over(error);
        controller.error(error);
      }
    },
    cancel(reason) {
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
