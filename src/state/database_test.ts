import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BeeuniError } from "../errors/error.ts";
import { StateDatabase, stateDatabasePath } from "./database.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A state directory that goes away. */
class StateFolder implements Disposable {
  readonly path = Deno.makeTempDirSync({ prefix: "beeuni-state-" });

  /** Names and modes of what is in it. */
  modes(): Record<string, string> {
    return Object.fromEntries(
      [...Deno.readDirSync(this.path)].map(({ name }) => {
        return [name, ((Deno.statSync(join(this.path, name)).mode ?? 0) & 0o777).toString(8)];
      }),
    );
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.path, { recursive: true });
  }
}

function thrown(work: () => unknown): BeeuniError {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof BeeuniError, String(error));
    return error;
  }
  throw new Error("nothing was thrown");
}

Deno.test("StateDatabase: only its owner can read it and its log files", () => {
  using folder = new StateFolder();
  const mask = Deno.umask(0);
  try {
    using database = new StateDatabase(folder.path);
    database.transaction(() =>
      database.prepare("INSERT INTO secrets VALUES ('A', x'00', x'00', x'00', 'now')").run()
    );
    assert.deepEqual(folder.modes(), { "state.db": "600", "state.db-wal": "600", "state.db-shm": "600" });
  } finally {
    Deno.umask(mask);
  }
  assert.deepEqual(folder.modes(), { "state.db": "600" });
});

Deno.test("StateDatabase: an older one is brought up to date, step by step, and keeps what is in it", () => {
  using folder = new StateFolder();
  const migrations = ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y", "CREATE TABLE b (z)"];
  {
    using database = new StateDatabase(folder.path, { migrations: migrations.slice(0, 1) });
    database.prepare("INSERT INTO a (x) VALUES (1)").run();
  }
  using database = new StateDatabase(folder.path, { migrations });
  assert.deepEqual({ ...database.prepare("SELECT x, y FROM a").get() }, { x: 1, y: null });
  const versions = database.prepare("SELECT version FROM schema_version ORDER BY version").all();
  assert.deepEqual(versions.map(({ version }) => version), [1, 2, 3]);
});

Deno.test("StateDatabase: a step that fails leaves the version before it", () => {
  using folder = new StateFolder();
  const migrations = ["CREATE TABLE a (x)", "CREATE TABLE b (z); CREATE TABLE a (x)"];
  assert.equal(thrown(() => new StateDatabase(folder.path, { migrations })).code, "state_database");
  using database = new StateDatabase(folder.path, { migrations: migrations.slice(0, 1) });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  assert.deepEqual(tables.map(({ name }) => name), ["a", "schema_version"]);
});

Deno.test("StateDatabase: one from a newer version is told and left alone", () => {
  using folder = new StateFolder();
  {
    using _newer = new StateDatabase(folder.path, { migrations: [...MIGRATIONS, "CREATE TABLE later (x)"] });
  }
  const before = Deno.readFileSync(stateDatabasePath(folder.path));
  const { code, message, hint } = thrown(() => new StateDatabase(folder.path));
  assert.equal(code, "state_newer");
  assert.equal(
    message,
    `the state database ${folder.path}/state.db is from a newer version of beeuni: its schema has version ` +
      `${MIGRATIONS.length + 1}, and this beeuni knows versions up to ${MIGRATIONS.length}.`,
  );
  assert.match(hint ?? "", /^Use the newer beeuni/);
  assert.deepEqual(Deno.readFileSync(stateDatabasePath(folder.path)), before);
});

Deno.test("StateDatabase: what is no database, or can't be one, is told", () => {
  using folder = new StateFolder();
  const path = stateDatabasePath(folder.path);
  Deno.writeTextFileSync(path, "certainly not a database. ".repeat(200));
  const damaged = thrown(() => new StateDatabase(folder.path));
  assert.equal(damaged.code, "state_database");
  assert.match(damaged.message, /^the state database .*state\.db is damaged: /);
  Deno.removeSync(path);
  Deno.mkdirSync(path);
  assert.equal(thrown(() => new StateDatabase(folder.path)).code, "unwritable");
  const nowhere = thrown(() => new StateDatabase(join(folder.path, "nowhere")));
  assert.equal(nowhere.code, "unwritable");
  assert.match(nowhere.message, /^the state database .*nowhere\/state\.db can't be used: [a-z ]+\.$/);
});

Deno.test("StateDatabase: a transaction that throws writes nothing", () => {
  using folder = new StateFolder();
  using database = new StateDatabase(folder.path, { migrations: ["CREATE TABLE a (x UNIQUE)"] });
  const insert = database.prepare("INSERT INTO a VALUES (?)");
  const mine = new Error("mine");
  assert.throws(() =>
    database.transaction(() => {
      insert.run(1);
      throw new BeeuniError("usage", "mine.", { cause: mine });
    }), { code: "usage", cause: mine });
  assert.throws(
    () => database.transaction(() => [1, 2, 1].forEach((value) => insert.run(value))),
    { code: "state_database" },
  );
  assert.equal(database.prepare("SELECT count(*) AS rows FROM a").get()?.rows, 0);
});

Deno.test("StateDatabase: what another process holds is waited for as long as was said", () => {
  using folder = new StateFolder();
  const migrations = ["CREATE TABLE a (x)"];
  using mine = new StateDatabase(folder.path, { migrations, busyMs: 50 });
  using other = new DatabaseSync(mine.path);
  other.exec("BEGIN IMMEDIATE");
  const write = () => mine.attempt(() => mine.prepare("INSERT INTO a VALUES (1)").run());
  assert.throws(write, { code: "state_database", message: /is in use by another process\.$/ });
  assert.throws(() => mine.transaction(write), { code: "state_database" });
  assert.deepEqual({ ...mine.prepare("PRAGMA busy_timeout").get() }, { timeout: 50 });
  other.exec("COMMIT");
  write();
});

Deno.test("StateDatabase: dataVersion tells what others wrote, and only that", () => {
  using folder = new StateFolder();
  const migrations = ["CREATE TABLE a (x)"];
  using mine = new StateDatabase(folder.path, { migrations });
  using other = new StateDatabase(folder.path, { migrations });
  const first = mine.dataVersion;
  mine.prepare("INSERT INTO a VALUES (1)").run();
  other.prepare("SELECT * FROM a").all();
  assert.equal(mine.dataVersion, first);
  other.prepare("INSERT INTO a VALUES (2)").run();
  const second = mine.dataVersion;
  assert.notEqual(second, first);
  assert.equal(mine.dataVersion, second);
});

Deno.test("StateDatabase: a file left empty by a crash is one without tables", () => {
  using folder = new StateFolder();
  Deno.writeTextFileSync(stateDatabasePath(folder.path), "");
  using database = new StateDatabase(folder.path);
  assert.equal(database.prepare("SELECT count(*) AS rows FROM secrets").get()?.rows, 0);
  using plain = new DatabaseSync(database.path);
  assert.equal(plain.prepare("PRAGMA journal_mode").get()?.journal_mode, "wal");
});
