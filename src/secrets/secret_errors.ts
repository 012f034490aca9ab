import { BeeuniError } from "../errors/error.ts";
import { nearest } from "../manifest/nearest.ts";
import type { SecretsKey } from "./secrets_key.ts";

/** What to tell when there are secrets and no key. */
export function keyMissing(): BeeuniError {
  return new BeeuniError("secrets_key", "the key of the stored secrets is missing.", {
    hint:
      "Restore secrets.key in the state directory, or set BEEUNI_SECRETS_KEY; or remove the secrets with " +
      "`beeuni secrets rm` and set them again.",
  });
}

/** What to tell when secrets are encrypted with another key than the one at hand. */
export function wrongKey(names: readonly string[], { source }: SecretsKey): BeeuniError {
  const what = names.length === 1 ? `the secret ${names[0]} was` : `the secrets ${names.join(", ")} were`;
  return new BeeuniError("secrets_key", `${what} stored with another key than ${source}.`, {
    hint:
      "Give the key of that time in BEEUNI_SECRETS_KEY (64 hex digits); or remove them with `beeuni secrets rm` " +
      "and set them again.",
  });
}

/** What to tell when the stored value is not what was once stored. */
export function damagedSecret(name: string, cause: unknown): BeeuniError {
  return new BeeuniError(
    "secret_damaged",
    `the stored value of the secret ${name} was changed or is damaged.`,
    {
      hint: `Set it again with \`beeuni secrets set ${name}=-\`.`,
      cause,
    },
  );
}

/** What to tell of names that are not set. */
export function notSet(names: readonly string[], set: readonly string[]): BeeuniError {
  const [first = ""] = names;
  const near = names.length === 1 ? nearest(first, set) : undefined;
  const what = names.length === 1 ? `no secret ${first} is set` : `no secrets ${names.join(", ")} are set`;
  return new BeeuniError("secret_not_found", `${what}; nothing was removed.`, {
    hint: near === undefined ? "`beeuni secrets ls` lists the names." : `Did you mean ${near}?`,
  });
}
