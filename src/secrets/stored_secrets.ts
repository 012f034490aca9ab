import { grantedSecrets } from "../agents/secrets.ts";
import type { BeeuniError } from "../errors/error.ts";
import type { Agent } from "../manifest/model.ts";
import { StateDatabase, stateDatabasePath } from "../state/database.ts";
import { SecretStore, type StoredValue } from "./secret_store.ts";
import type { SecretsKeyFrom } from "./secrets_key.ts";
import { SEEN_WITHIN_MS } from "./seen_within.ts";

/** Options of {@link StoredSecrets}. */
export interface StoredSecretsOptions extends SecretsKeyFrom {
  /** Told every value that was read, also of those that no agent is granted: they are masked. */
  onValues: (values: Iterable<string>) => void;
  /** A clock in milliseconds that only goes forward; default `performance.now`. */
  now?: () => number;
}

/** What an agent is granted. */
type Granted = Readonly<Record<string, string>>;

/** An open database, and what was read from it. */
interface Opened {
  database: StateDatabase;
  /** Device and inode: another file may come under its name. */
  file: string;
  /** The database's version that `values` are of; `undefined` = to be read again. */
  version: number | undefined;
  values: ReadonlyMap<string, StoredValue>;
}

const NONE: Granted = Object.freeze({});

/**
 * The stored secrets as they are at each call (specification 2.6): a change by another process is seen when that has
 * ended, see {@link SEEN_WITHIN_MS}. Whether something changed is told by a `stat` and SQLite's `data_version`. The
 * database is opened only once it exists.
 */
export class StoredSecrets implements Disposable {
  readonly #options: StoredSecretsOptions;
  readonly #path: string;
  readonly #granted = new Map<string, { declared: Agent | undefined; granted: Granted }>();
  readonly #now: () => number;
  #opened: Opened | undefined;
  /** Up to when what is known holds. */
  #validUntil = -Infinity;

  constructor(options: StoredSecretsOptions) {
    this.#options = options;
    this.#path = stateDatabasePath(options.stateDir);
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * The secrets that an agent is granted, as they are now; the same object while nothing changed.
   *
   * @param declared The agent; `undefined` (not declared) has none.
   * @throws {BeeuniError} `secrets_key`, `secret_damaged`, and what opening the database throws, when that keeps back
   *   one that the agent is granted.
   */
  of(agent: string, declared: Agent | undefined): Granted {
    try {
      this.#refresh();
    } catch (error) {
      if ((declared?.secrets ?? "none") === "none") return NONE;
      throw error;
    }
    const known = this.#granted.get(agent);
    if (known !== undefined && known.declared === declared) return known.granted;
    const granted = this.#grant(declared);
    this.#granted.set(agent, { declared, granted });
    return granted;
  }

  /**
   * One secret as it is now, whoever it is granted to; `undefined` when it is not set. For Beeuni's own use, such as the
   * key of a model: agents get theirs by {@link of}.
   *
   * @throws {BeeuniError} `secrets_key`, `secret_damaged`, and what opening the database throws.
   */
  value(name: string): string | undefined {
    this.#refresh();
    const stored = this.#opened?.values.get(name);
    if (stored === undefined) return undefined;
    if ("error" in stored) throw stored.error;
    return stored.value;
  }

  /** Why secrets can't be had now; `undefined` when all can. */
  problem(): BeeuniError | undefined {
    try {
      this.#refresh();
    } catch (error) {
      return error as BeeuniError;
    }
    for (const stored of this.#opened?.values.values() ?? []) if ("error" in stored) return stored.error;
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #grant(declared: Agent | undefined): Granted {
    const values = this.#opened?.values;
    if (values === undefined || values.size === 0) return NONE;
    const granted: Record<string, string> = {};
    for (const name of grantedSecrets(declared, values.keys())) {
      const stored = values.get(name);
      if (stored === undefined) continue;
      if ("error" in stored) throw stored.error;
      granted[name] = stored.value;
    }
    return granted;
  }

  #refresh(): void {
    const now = this.#now();
    if (now < this.#validUntil) return;
    // While it fails, each call tries again.
    this.#validUntil = -Infinity;
    this.#look();
    const failed = this.#opened !== undefined && this.#opened.version === undefined;
    if (!failed) this.#validUntil = now + SEEN_WITHIN_MS;
  }

  #look(): void {
    const opened = this.#opened ?? this.#open();
    if (opened === undefined) return;
    if (fileOf(this.#path) !== opened.file) {
      this.#close();
      return this.#look();
    }
    const version = opened.database.dataVersion;
    if (version === opened.version) return;
    this.#granted.clear();
    opened.values = new SecretStore(opened.database, this.#options).read();
    const values = [...opened.values.values()];
    // A key can be mended without a change of the database: what failed is tried again.
    opened.version = values.some((stored) => "error" in stored) ? undefined : version;
    this.#options.onValues(values.flatMap((stored) => "value" in stored ? [stored.value] : []));
  }

  #open(): Opened | undefined {
    if (fileOf(this.#path) === "") return undefined;
    const database = new StateDatabase(this.#options.stateDir);
    this.#opened = { database, file: fileOf(this.#path), version: undefined, values: new Map() };
    return this.#opened;
  }

  #close(): void {
    this.#opened?.database[Symbol.dispose]();
    this.#opened = undefined;
    this.#granted.clear();
  }
}

/** Which file is at `path`; `""` without one. */
function fileOf(path: string): string {
  try {
    const { dev, ino } = Deno.statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return "";
  }
}
