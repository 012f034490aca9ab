import { BeeuniError } from "../errors/error.ts";
import { equalInConstantTime } from "./equal_in_constant_time.ts";

/**
 * Checks `Authorization: Bearer <key>` (specification 2.7).
 *
 * @param header The header's value; `null` without one.
 * @throws {BeeuniError} `unauthorized`.
 */
export function checkAuthorization(header: string | null, key: string): void {
  const given = header === null ? undefined : /^bearer +(\S+)$/i.exec(header)?.[1];
  if (given === undefined) {
    throw new BeeuniError("unauthorized", "the request has no key: send `Authorization: Bearer <key>`.");
  }
  if (!equalInConstantTime(given, key)) throw new BeeuniError("unauthorized", "the key is wrong.");
}
