import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { BeeuniError } from "../errors/error.ts";
import { MIGRATIONS } from "./migrations.ts";
import { newerDatabase, stateError } from "./state_errors.ts";

/** Name of the state database in the state directory (specification 4.4). */
const FILE = "state.db";

/** How long a command waits for another one that writes, in milliseconds; nothing else happens meanwhile. */
const BUSY_MS = 5_000;

/** Absolute path of the state database; it need not exist. */
export function stateDatabasePath(stateDir: string): string {
  return join(stateDir, FILE);
}

/** Options of {@link StateDatabase}. */
export interface StateDatabaseOptions {
  /** The steps of the schema, for tests. */
  migrations?: readonly string[];
  /**
   * `full` (default): what was written outlives a loss of power. `normal`: the end of this process, however it comes;
   * after a loss of power the last transactions may be missing, whole. A write then waits for no disk.
   */
  synchronous?: "full" | "normal";
  /** How long a write waits for another process that writes, in milliseconds, and everything else with it; default 5,000. */
  busyMs?: number;
}

/**
 * The project's state, an SQLite database in its state directory (specification 4.4): write-ahead log, one writer at a
 * time, readers never wait.
 *
 * Opening it makes it when it is missing (0600, as are its log files) and brings an older one up to date. Where nothing
 * can be written, one that is up to date can be read. It has to be closed: `using`.
 */
export class StateDatabase implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;
  #dataVersion: StatementSync | undefined;

  /**
   * @param stateDir Absolute path of a folder that exists and that only its owner can write.
   * @throws {BeeuniError} `state_newer`, `state_database` when it is damaged or stays locked, `unwritable`.
   */
  constructor(stateDir: string, options: StateDatabaseOptions = {}) {
    const { migrations = MIGRATIONS, synchronous = "full", busyMs = BUSY_MS } = options;
    this.path = stateDatabasePath(stateDir);
    try {
      this.#database = openForWriting(this.path, migrations, busyMs);
      if (synchronous === "normal") this.#database.exec("PRAGMA synchronous = NORMAL");
    } catch (cause) {
      const readable = isReadOnly(cause) ? openForReading(this.path, migrations) : undefined;
      if (readable === undefined) throw stateError(this.path, cause);
      this.#database = readable;
    }
  }

  /** A statement, compiled; the caller keeps it to run it again. */
  prepare(sql: string): StatementSync {
    return this.attempt(() => this.#database.prepare(sql));
  }

  /**
   * Runs `work`, with what SQLite throws made one of our errors.
   *
   * @throws {BeeuniError} what `work` throws; `state_database`, `unwritable`.
   */
  attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw stateError(this.path, cause);
    }
  }

  /**
   * Runs `work` as the only writer: all of it is written, or, when it throws or the process dies, nothing.
   *
   * @throws {BeeuniError} what `work` throws; `state_database`, `unwritable`.
   */
  transaction<T>(work: () => T): T {
    return this.attempt(() => transaction(this.#database, work));
  }

  /** A number that is another one whenever a different connection has written since. Costs 3 µs. */
  get dataVersion(): number {
    return this.attempt(() => {
      this.#dataVersion ??= this.#database.prepare("PRAGMA data_version");
      return Number(this.#dataVersion.get()?.data_version);
    });
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** Makes the file before SQLite does, which would let everybody read it. The log files get the same mode. */
function makePrivateFile(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

function openForWriting(path: string, migrations: readonly string[], busyMs: number): DatabaseSync {
  makePrivateFile(path);
  const database = new (sqlite().DatabaseSync)(path, { timeout: busyMs });
  try {
    // What is removed is overwritten, and the schema of a foreign file runs no code.
    database.exec("PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON");
    useWriteAheadLog(database, busyMs);
    migrate(database, path, migrations);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A database in a folder where nothing can be written: SQLite reads it only when told that it can't change, because it
 * would make its log files else. `undefined` when it can't be read whole that way.
 *
 * @throws {BeeuniError} `state_newer`.
 */
function openForReading(path: string, migrations: readonly string[]): DatabaseSync | undefined {
  try {
    // What stands in the log only would be missing.
    if (Deno.statSync(`${path}-wal`).size > 0) return undefined;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return undefined;
  }
  let database: DatabaseSync | undefined;
  try {
    const url = `file:${path.split("/").map(encodeURIComponent).join("/")}?immutable=1`;
    database = new (sqlite().DatabaseSync)(url, { readOnly: true });
    if (currentVersion(database, path, migrations) === migrations.length) return database;
  } catch (error) {
    if (error instanceof BeeuniError) throw error;
  }
  database?.close();
  return undefined;
}

function isReadOnly(cause: unknown): boolean {
  return /readonly|unable to open/.test(cause instanceof Error ? cause.message : "");
}

/** Loaded when it is needed, and not with this module: most runs never open the database. */
function sqlite(): typeof import("node:sqlite") {
  return globalThis.process.getBuiltinModule("node:sqlite");
}

/**
 * The write-ahead log stays on in the file, so this is a mere look in all but the first run. There SQLite does not
 * wait for its lock, whatever the timeout: two first runs at once would fail.
 */
function useWriteAheadLog(database: DatabaseSync, busyMs: number): void {
  const end = Date.now() + busyMs;
  while (true) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!/is locked/.test(String(error)) || Date.now() >= end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function migrate(database: DatabaseSync, path: string, migrations: readonly string[]): void {
  if (currentVersion(database, path, migrations) === migrations.length) return;
  database.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY) STRICT");
  while (true) {
    const done = transaction(database, () => {
      // Looked up under the lock: another process may have taken the step meanwhile.
      const version = currentVersion(database, path, migrations);
      const step = migrations[version];
      if (step === undefined) return true;
      database.exec(step);
      database.prepare("INSERT INTO schema_version (version) VALUES (?)").run(version + 1);
      return false;
    });
    if (done) return;
  }
}

function currentVersion(database: DatabaseSync, path: string, migrations: readonly string[]): number {
  const table = database.prepare(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_version'",
  );
  if (table.get() === undefined) return 0;
  const row = database.prepare("SELECT coalesce(max(version), 0) AS version FROM schema_version").get();
  const version = Number(row?.version);
  if (version > migrations.length) throw newerDatabase(path, version, migrations.length);
  return version;
}

function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite rolled back by itself.
    }
    throw error;
  }
}
