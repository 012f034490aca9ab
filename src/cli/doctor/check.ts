/** What `beeuni doctor` found out about one thing. */
export interface Check {
  name: string;
  /** `warning`: beeuni works, but something it can use is not there. */
  status: "ok" | "warning" | "failed";
  /** What was found, or what is wrong. */
  detail: string;
}

/** A check that did not work because of `error`. */
export function failedCheck(name: string, error: unknown): Check {
  return { name, status: "failed", detail: error instanceof Error ? error.message : String(error) };
}
