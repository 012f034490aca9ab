import { createHmac } from "node:crypto";
import { join } from "node:path";
import { BeeuniError } from "../errors/error.ts";

/** Name of the key in the state directory. */
const FILE = "secrets.key";

/** The variable that holds the key in place of the file. */
const VARIABLE = "BEEUNI_SECRETS_KEY";

/** The key that encrypts the project's secrets. */
export interface SecretsKey {
  /** 32 bytes. */
  bytes: Uint8Array;
  /** Tells this key from another one and gives nothing of it away. */
  id: Uint8Array;
  /** Where it is from, for messages: the variable's name or the file's path. */
  source: string;
}

/** Where the key is looked for. */
export interface SecretsKeyFrom {
  /** Absolute path of the state directory. */
  stateDir: string;
  /** `BEEUNI_SECRETS_KEY`; empty counts as not set. */
  variable: string | undefined;
}

/**
 * The key of `BEEUNI_SECRETS_KEY`, else that of the file; `undefined` when there is neither.
 *
 * @throws {BeeuniError} `secrets_key` when it has not the form of a key, or others could read the file.
 */
export function findSecretsKey({ stateDir, variable }: SecretsKeyFrom): SecretsKey | undefined {
  if (variable) return parse(variable, VARIABLE);
  const path = keyPath(stateDir);
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return undefined;
    throw unusable(path, "could not be read", "Make it readable for you.", cause);
  }
  if (!info.isFile) throw unusable(path, "is not a regular file", "Put the key itself in its place.");
  if (((info.mode ?? 0) & 0o077) !== 0) {
    throw unusable(
      path,
      "can be read or written by other users",
      `Run \`chmod 600\` on it; if somebody else may have read it, change the secrets too.`,
    );
  }
  // The size first: something else may lie under this name.
  if (info.size > 256) throw unusable(path, "is not 64 hex digits", "Restore it from a backup.");
  try {
    return parse(Deno.readTextFileSync(path), path);
  } catch (cause) {
    if (cause instanceof BeeuniError) throw cause;
    throw unusable(path, "could not be read", "Make it readable for you.", cause);
  }
}

/**
 * Writes a new key to the state directory (0600). Called inside a write transaction of the state database, so two
 * processes never make one at the same time.
 *
 * @throws {BeeuniError} `unwritable`.
 */
export function makeSecretsKey(stateDir: string): SecretsKey {
  const path = keyPath(stateDir);
  const hex = crypto.getRandomValues(new Uint8Array(32)).toHex();
  const temporary = `${path}.${Deno.pid}.${crypto.randomUUID()}`;
  try {
    {
      using file = Deno.openSync(temporary, { write: true, createNew: true, mode: 0o600 });
      file.writeSync(new TextEncoder().encode(`${hex}\n`));
      // The secrets are worth nothing without it: it is on the disk before they are.
      file.syncSync();
    }
    Deno.renameSync(temporary, path);
  } catch (cause) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It was not made, or has its name already.
    }
    throw new BeeuniError("unwritable", `the key ${path} could not be written.`, {
      hint: "Make the folder writable for you, or set BEEUNI_SECRETS_KEY.",
      cause,
    });
  }
  return parse(hex, path);
}

function keyPath(stateDir: string): string {
  return join(stateDir, FILE);
}

function parse(text: string, source: string): SecretsKey {
  const hex = text.trim();
  if (!/^[0-9a-fA-F]{64}$/.test(hex)) {
    const hint = source === VARIABLE
      ? "Set it to 64 hex digits (32 bytes), such as `openssl rand -hex 32` prints."
      : "Restore it from a backup, or set BEEUNI_SECRETS_KEY.";
    throw unusable(source, "is not 64 hex digits", hint);
  }
  const bytes = Uint8Array.fromHex(hex);
  const id = new Uint8Array(createHmac("sha256", bytes).update("beeuni secrets key id").digest()).slice(
    0,
    16,
  );
  return { bytes, id, source };
}

function unusable(source: string, why: string, hint: string, cause?: unknown): BeeuniError {
  return new BeeuniError("secrets_key", `the key of the secrets, ${source}, ${why}.`, { hint, cause });
}
