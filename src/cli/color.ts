/** Whether a stream may get colour or a spinner: a terminal, and neither `NO_COLOR`, `CI` nor `--json` (5.1). */
export function colorAllowed(
  from: { terminal: boolean; json: boolean; env: (name: string) => string | undefined },
): boolean {
  if (!from.terminal || from.json || from.env("TERM") === "dumb") return false;
  // no-color.org: any value but the empty one.
  return !from.env("NO_COLOR") && !from.env("CI");
}
