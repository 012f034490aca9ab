import type { HarnessName } from "../agents/may_use.ts";
import { BeeuniError } from "../errors/error.ts";
import type { Harness } from "./types.ts";

/** How long a harness may take to say whether it can run, in milliseconds. */
const CHECK_MS = 30_000;

/**
 * The harness of a new session: the one that was named, else `standard` where it can run, else `experimental`
 * (specification 4.4).
 *
 * @returns `because`: why it is not the standard one.
 * @throws {BeeuniError} what the named one's `check` does: `harness_missing`.
 */
export async function chooseHarness(
  named: HarnessName | undefined,
  harnesses: (name: HarnessName) => Promise<Harness>,
): Promise<{ name: HarnessName; because?: string }> {
  if (named !== undefined) {
    await check(named, harnesses);
    return { name: named };
  }
  try {
    await check("standard", harnesses);
    return { name: "standard" };
  } catch (error) {
    await check("experimental", harnesses);
    return { name: "experimental", because: error instanceof Error ? error.message : String(error) };
  }
}

async function check(name: HarnessName, harnesses: (name: HarnessName) => Promise<Harness>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new BeeuniError("harness_failed", `the ${name} harness did not say whether it can run.`));
  }, CHECK_MS);
  try {
    const checked = harnesses(name).then((harness) => harness.check());
    checked.catch(() => {});
    await Promise.race([checked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
