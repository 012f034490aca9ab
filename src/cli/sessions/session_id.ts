import { BeeuniError } from "../../errors/error.ts";
import { nearest } from "../../manifest/nearest.ts";

/** How many ids an error lists. */
const MAX_LISTED = 5;

/** A shorter beginning of an id is more likely a slip than an abbreviation. */
const SHORTEST_PREFIX = 4;

/**
 * The id that is meant by what was typed: the id itself, or the beginning of one alone.
 *
 * @param known Ids of the project's sessions.
 * @throws {BeeuniError} `session_not_found`, with the nearest one.
 */
export function resolveSessionId(given: string, known: readonly string[]): string {
  if (known.includes(given)) return given;
  const begun = given.length < SHORTEST_PREFIX ? [] : known.filter((id) => id.startsWith(given));
  const [only, another] = begun;
  if (only !== undefined && another === undefined) return only;
  if (another !== undefined) {
    const more = begun.length > MAX_LISTED ? ` and ${begun.length - MAX_LISTED} more` : "";
    const listed = begun.slice(0, MAX_LISTED).join(", ");
    throw new BeeuniError("session_not_found", `several sessions begin with ${given}: ${listed}${more}.`, {
      hint: "Give one of them whole.",
    });
  }
  if (known.length === 0) throw noSessions();
  const near = nearest(given, known, Math.max(2, Math.floor(given.length / 3)));
  throw new BeeuniError("session_not_found", `there is no session ${given}.`, {
    hint: near === undefined ? "`beeuni sessions ls` lists the sessions." : `Did you mean ${near}?`,
  });
}

/** The project has none at all. */
export function noSessions(): BeeuniError {
  return new BeeuniError("session_not_found", "the project has no sessions yet.", {
    hint: "Start one with `beeuni sessions new --prompt …`.",
  });
}
