/** HTTP status, exit code and kind of one error code. */
interface CodeRow {
  /** HTTP status (specification 2.7). */
  status: number;
  /** Exit code of a command (specification 5.1). */
  exit: number;
  /** Who can mend it: the user, the tool's author, or we. */
  mend: "user" | "tool" | "beeuni";
}

/** Every error code, once: what it answers over HTTP and what a command exits with. */
export const ERROR_CODES = {
  // what the user can mend
  usage: { status: 400, exit: 2, mend: "user" },
  no_manifest: { status: 409, exit: 2, mend: "user" },
  manifest_invalid: { status: 409, exit: 1, mend: "user" },
  edit_refused: { status: 409, exit: 1, mend: "user" },
  file_exists: { status: 409, exit: 1, mend: "user" },
  unreadable: { status: 500, exit: 1, mend: "user" },
  unwritable: { status: 503, exit: 1, mend: "user" },
  bad_request: { status: 400, exit: 2, mend: "user" },
  args_invalid: { status: 400, exit: 1, mend: "user" },
  unauthorized: { status: 401, exit: 1, mend: "user" },
  forbidden_origin: { status: 403, exit: 1, mend: "user" },
  body_too_large: { status: 413, exit: 1, mend: "user" },
  agent_forbidden: { status: 403, exit: 1, mend: "user" },
  tool_not_found: { status: 404, exit: 1, mend: "user" },
  call_not_found: { status: 404, exit: 1, mend: "user" },
  route_not_found: { status: 404, exit: 1, mend: "user" },
  call_in_flight: { status: 409, exit: 1, mend: "user" },
  env_file: { status: 500, exit: 2, mend: "user" },
  secret_not_found: { status: 404, exit: 1, mend: "user" },
  secrets_key: { status: 409, exit: 1, mend: "user" },
  secret_damaged: { status: 409, exit: 1, mend: "user" },
  state_database: { status: 503, exit: 1, mend: "user" },
  state_newer: { status: 409, exit: 1, mend: "user" },
  daemon_not_running: { status: 503, exit: 1, mend: "user" },
  daemon_running: { status: 409, exit: 1, mend: "user" },
  port_in_use: { status: 500, exit: 1, mend: "user" },
  session_not_found: { status: 404, exit: 1, mend: "user" },
  question_not_found: { status: 409, exit: 1, mend: "user" },
  turn_running: { status: 409, exit: 1, mend: "user" },
  no_turn: { status: 409, exit: 1, mend: "user" },
  no_model: { status: 409, exit: 1, mend: "user" },
  model_key: { status: 409, exit: 1, mend: "user" },
  model_failed: { status: 502, exit: 1, mend: "user" },
  harness_missing: { status: 409, exit: 1, mend: "user" },
  harness_failed: { status: 502, exit: 1, mend: "user" },
  request_timeout: { status: 408, exit: 1, mend: "user" },
  // what a tool did
  tool_failed: { status: 422, exit: 1, mend: "tool" },
  aborted: { status: 499, exit: 130, mend: "tool" },
  sandbox_died: { status: 502, exit: 1, mend: "tool" },
  timed_out: { status: 504, exit: 124, mend: "tool" },
  // load on us, or our own fault
  queue_full: { status: 503, exit: 1, mend: "beeuni" },
  stopping: { status: 503, exit: 1, mend: "beeuni" },
  engine: { status: 500, exit: 1, mend: "beeuni" },
  internal: { status: 500, exit: 1, mend: "beeuni" },
} as const satisfies Record<string, CodeRow>;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_CODES;
