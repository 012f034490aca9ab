import { ERROR_CODES, type ErrorCode } from "./codes.ts";

/** Options of {@link BeeuniError}. */
export interface BeeuniErrorOptions {
  /** What the user can do about it: one imperative sentence, printed after `→`. */
  hint?: string;
  /** The error behind this one; goes to the log, never to the user or the model. */
  cause?: unknown;
  /** Structured details that belong in the JSON form (for example the issues of a manifest). */
  details?: Record<string, unknown>;
}

/**
 * The one error type of Beeuni: a sentence that starts with what failed, and a stable code.
 *
 * HTTP status, exit code and whether the caller may retry follow from the code, see `codes.ts`.
 */
export class BeeuniError extends Error {
  override readonly name = "BeeuniError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, options: BeeuniErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }

  /** HTTP status of this error (specification 2.7). */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Exit code of a command that ends with this error (specification 5.1). */
  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }
}
