import { BeeuniError } from "../errors/error.ts";
import type { ErrorCode } from "../errors/codes.ts";

/** Errors after which the same request may succeed. */
const RETRYABLE: readonly ErrorCode[] = ["sandbox_died", "queue_full"];

/**
 * The answer for an error: `{ error, code }` with the status of its code (specification 2.7), its details, `hint` when
 * there is something to do about it, and `retryable: true` where another try makes sense.
 */
export function errorResponse(error: BeeuniError): Response {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (error.code === "queue_full") headers["retry-after"] = "1";
  if (error.code === "unauthorized") headers["www-authenticate"] = "Bearer";
  const body = {
    ...error.details,
    error: error.message,
    code: error.code,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(RETRYABLE.includes(error.code) ? { retryable: true } : {}),
  };
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

/** `error` itself when it is one of ours, else one that tells the client nothing about our insides. */
export function knownError(error: unknown): BeeuniError {
  return error instanceof BeeuniError
    ? error
    : new BeeuniError("internal", "something went wrong inside the daemon; its log has the details.", {
      cause: error,
    });
}
