import { BeeuniError } from "../../errors/error.ts";
import { ERROR_CODES, type ErrorCode } from "../../errors/codes.ts";
import { isRecord } from "../../host/is_record.ts";
import { modelError } from "../../models/model_failure.ts";
import type { ModelEndpoint } from "../../models/types.ts";
import type { OpenCodeFailure } from "./opencode_event.ts";

/** The error of a turn that the user stopped. */
export function turnStopped(): BeeuniError {
  return new BeeuniError("aborted", "the turn was stopped");
}

/** What a failure in OpenCode means for the user: the model's failures are told in the words of both harnesses. */
export function turnFailure(endpoint: ModelEndpoint, { name, data }: OpenCodeFailure): BeeuniError {
  const message = typeof data.message === "string" ? data.message : "";
  const body = typeof data.responseBody === "string" && data.responseBody !== ""
    ? data.responseBody
    : message;
  const own = ownError(body);
  if (own !== undefined) return own;
  switch (name) {
    case "APIError":
      return typeof data.statusCode === "number"
        ? modelError(endpoint, { kind: "status", status: data.statusCode, body })
        : modelError(endpoint, { kind: "network", reason: message });
    case "ProviderAuthError":
      return modelError(endpoint, { kind: "status", status: 401, body });
    case "ContextOverflowError":
      return modelError(endpoint, { kind: "status", status: 413, body });
    case "MessageOutputLengthError":
      return modelError(endpoint, { kind: "answer", reason: "it is longer than the model may write" });
    case "ContentFilterError":
      return modelError(endpoint, {
        kind: "answer",
        reason: message || "the provider's filter held it back",
      });
    case "MessageAbortedError":
      return new BeeuniError("harness_failed", "OpenCode ended the turn before the model was done", {
        hint: "send the prompt again",
      });
    default:
      return new BeeuniError("harness_failed", `OpenCode failed: ${oneLine(message) || name}`, {
        hint: "send the prompt again; `beeuni daemon status` says where its log is",
      });
  }
}

/** A model that failed again and again. @param reason What OpenCode says of the last time. */
export function retriesExhausted(endpoint: ModelEndpoint, tries: number, reason: string): BeeuniError {
  return ownError(reason) ??
    new BeeuniError("model_failed", `the model ${endpoint.ref} failed ${tries} times: ${oneLine(reason)}`, {
      hint: "send the prompt again later, or name another model with --model",
    });
}

/** The daemon's own answer, when it could not reach the model: its sentence is the one to show. */
function ownError(body: string): BeeuniError | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const error = isRecord(value) && isRecord(value.error) ? value.error : value;
  if (!isRecord(error)) return undefined;
  const { code, message = error.error, hint } = error;
  if (typeof code !== "string" || !Object.hasOwn(ERROR_CODES, code) || typeof message !== "string") {
    return undefined;
  }
  return new BeeuniError(code as ErrorCode, message, typeof hint === "string" ? { hint } : {});
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…`.toWellFormed() : line;
}
