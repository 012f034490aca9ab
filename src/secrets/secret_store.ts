import type { BeeuniError } from "../errors/error.ts";
import type { StateDatabase } from "../state/database.ts";
import { seal, unseal } from "./seal.ts";
import { damagedSecret, keyMissing, notSet, wrongKey } from "./secret_errors.ts";
import { findSecretsKey, makeSecretsKey, type SecretsKey, type SecretsKeyFrom } from "./secrets_key.ts";

/** What may be told of a stored secret. */
export interface SecretInfo {
  name: string;
  /** When it was last set: ISO 8601, UTC. */
  updated: string;
}

/** A stored value, or why it can't be had. */
export type StoredValue = { value: string } | { error: BeeuniError };

/** One row of the table. */
interface Row {
  name: string;
  keyId: Uint8Array;
  iv: Uint8Array;
  value: Uint8Array;
}

/** The project's secrets in its state database (specification 4.5). */
export class SecretStore {
  readonly #database: StateDatabase;
  readonly #from: SecretsKeyFrom;

  constructor(database: StateDatabase, from: SecretsKeyFrom) {
    this.#database = database;
    this.#from = from;
  }

  /** What is set, by name; needs no key. */
  list(): SecretInfo[] {
    return this.#database.attempt(() =>
      this.#database.prepare("SELECT name, updated FROM secrets ORDER BY name").all()
        .map(({ name, updated }) => ({ name: String(name), updated: String(updated) }))
    );
  }

  /**
   * Stores all of `values`, or, when that fails, none. The first time it makes the key.
   *
   * @param values By name; both are checked already.
   * @throws {BeeuniError} `secrets_key` when what stays could not be read with the key any more, `unwritable`,
   *   `state_database`.
   */
  set(values: ReadonlyMap<string, string>): void {
    this.#database.transaction(() => {
      const others = this.#rows().filter(({ name }) => !values.has(name));
      const key = this.#keyFor(others);
      const strangers = others.filter(({ keyId }) => !same(keyId, key.id)).map(({ name }) => name);
      // One store has one key: else it could never be read whole again.
      if (strangers.length > 0) throw wrongKey(strangers, key);
      const put = this.#database.prepare(
        "INSERT OR REPLACE INTO secrets (name, key_id, iv, value, updated) VALUES (?, ?, ?, ?, ?)",
      );
      const updated = new Date().toISOString();
      for (const [name, value] of values) {
        const sealed = seal(key.bytes, name, value);
        put.run(name, key.id, sealed.iv, sealed.value, updated);
      }
    });
  }

  /**
   * Removes all of `names`, or, when one is not set, none; needs no key.
   *
   * @throws {BeeuniError} `secret_not_found`, `unwritable`, `state_database`.
   */
  remove(names: Iterable<string>): void {
    this.#database.transaction(() => {
      const set = this.list().map(({ name }) => name);
      const missing = [...names].filter((name) => !set.includes(name));
      if (missing.length > 0) throw notSet(missing, set);
      const remove = this.#database.prepare("DELETE FROM secrets WHERE name = ?");
      for (const name of names) remove.run(name);
    });
  }

  /**
   * Every value, by name. One that can't be had does not hide the others.
   *
   * @throws {BeeuniError} `state_database`.
   */
  read(): Map<string, StoredValue> {
    const rows = this.#database.attempt(() => this.#rows());
    const values = new Map<string, StoredValue>();
    if (rows.length === 0) return values;
    let key: SecretsKey | BeeuniError;
    try {
      key = findSecretsKey(this.#from) ?? keyMissing();
    } catch (error) {
      key = error as BeeuniError;
    }
    for (const row of rows) values.set(row.name, opened(row, key));
    return values;
  }

  #keyFor(others: readonly Row[]): SecretsKey {
    const key = findSecretsKey(this.#from);
    if (key !== undefined) return key;
    if (others.length > 0) throw keyMissing();
    return makeSecretsKey(this.#from.stateDir);
  }

  #rows(): Row[] {
    const rows = this.#database.prepare("SELECT name, key_id, iv, value FROM secrets ORDER BY name").all();
    return rows.map(({ name, key_id, iv, value }) => {
      return { name: String(name), keyId: bytes(key_id), iv: bytes(iv), value: bytes(value) };
    });
  }
}

function opened(row: Row, key: SecretsKey | BeeuniError): StoredValue {
  if (key instanceof Error) return { error: key };
  if (!same(row.keyId, key.id)) return { error: wrongKey([row.name], key) };
  try {
    return { value: unseal(key.bytes, row.name, row) };
  } catch (cause) {
    return { error: damagedSecret(row.name, cause) };
  }
}

function bytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
