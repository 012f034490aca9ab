import assert from "node:assert/strict";
import { join } from "node:path";
import { EVERY_TOOL } from "../manifest/tool_list.ts";
import type { Agent } from "../manifest/model.ts";
import { StateDatabase, stateDatabasePath } from "../state/database.ts";
import { SecretStore } from "./secret_store.ts";
import { SEEN_WITHIN_MS } from "./seen_within.ts";
import { StoredSecrets } from "./stored_secrets.ts";

const agent = (secrets: Agent["secrets"]): Agent => ({ name: "a", tools: EVERY_TOOL, secrets });
const ALL = agent("all");
const SOME = agent(["B", "NOWHERE"]);
const NONE = agent("none");

/** Stored secrets, and another process's way to change them. */
class Test implements Disposable {
  readonly stateDir = Deno.makeTempDirSync({ prefix: "beeuni-secrets-" });
  readonly told: string[] = [];
  time = 0;
  /** How much time passes between two looks. */
  step = SEEN_WITHIN_MS;
  readonly stored = new StoredSecrets({
    stateDir: this.stateDir,
    variable: undefined,
    onValues: (values) => this.told.push(...values),
    now: () => this.time += this.step,
  });

  /** As another connection: what another process does. */
  change(work: (store: SecretStore, database: StateDatabase) => void): void {
    using database = new StateDatabase(this.stateDir);
    work(new SecretStore(database, { stateDir: this.stateDir, variable: undefined }), database);
  }

  set(values: Record<string, string>): void {
    this.change((store) => store.set(new Map(Object.entries(values))));
  }

  [Symbol.dispose](): void {
    this.stored[Symbol.dispose]();
    Deno.removeSync(this.stateDir, { recursive: true });
  }
}

Deno.test("StoredSecrets: a look makes no database", () => {
  using test = new Test();
  assert.deepEqual(test.stored.of("a", ALL), {});
  assert.equal(test.stored.problem(), undefined);
  assert.deepEqual([...Deno.readDirSync(test.stateDir)], []);
});

Deno.test("StoredSecrets: set, changed and removed ones are seen by the next look", () => {
  using test = new Test();
  test.stored.of("a", ALL);
  test.set({ A: "one" });
  assert.deepEqual(test.stored.of("a", ALL), { A: "one" });
  for (let round = 0; round < 50; round++) {
    test.set({ A: `${round}`, B: "two" });
    assert.deepEqual(test.stored.of("a", ALL), { A: `${round}`, B: "two" });
  }
  test.change((store) => store.remove(["A"]));
  assert.deepEqual(test.stored.of("a", ALL), { B: "two" });
  test.change((store) => store.remove(["B"]));
  assert.deepEqual(test.stored.of("a", ALL), {});
});

Deno.test("StoredSecrets: the same object while nothing changed", () => {
  using test = new Test();
  test.set({ A: "one" });
  const first = test.stored.of("a", ALL);
  assert.equal(test.stored.of("a", ALL), first);
  test.stored.of("b", SOME);
  assert.equal(test.stored.of("a", ALL), first);
  test.set({ A: "one" });
  assert.deepEqual(test.stored.of("a", ALL), first);
});

Deno.test("StoredSecrets: an agent gets what it is granted, as it is declared now; every value is told", () => {
  using test = new Test();
  test.set({ A: "one", B: "two", C: "three" });
  assert.deepEqual(test.stored.of("none", NONE), {});
  assert.deepEqual(test.told, ["one", "two", "three"]);
  assert.deepEqual(test.stored.of("some", SOME), { B: "two" });
  assert.deepEqual(test.stored.of("undeclared", undefined), {});
  assert.deepEqual(test.stored.of("a", ALL), { A: "one", B: "two", C: "three" });
  assert.deepEqual(test.stored.of("a", SOME), { B: "two" });
  assert.deepEqual(test.stored.of("a", undefined), {});
});

Deno.test("StoredSecrets: another file under the same name is noticed, and one that is gone", () => {
  using test = new Test();
  test.set({ A: "one" });
  assert.deepEqual(test.stored.of("a", ALL), { A: "one" });
  for (const ending of ["", "-wal", "-shm"]) {
    try {
      Deno.removeSync(`${stateDatabasePath(test.stateDir)}${ending}`);
    } catch (error) {
      assert.ok(error instanceof Deno.errors.NotFound);
    }
  }
  assert.deepEqual(test.stored.of("a", ALL), {});
  test.set({ A: "two" });
  assert.deepEqual(test.stored.of("a", ALL), { A: "two" });
});

Deno.test("StoredSecrets: what can't be read fails those who are granted it, until it is mended", () => {
  using test = new Test();
  test.set({ A: "one", B: "two" });
  const keyFile = join(test.stateDir, "secrets.key");
  const key = Deno.readTextFileSync(keyFile);
  Deno.removeSync(keyFile);
  assert.throws(() => test.stored.of("a", ALL), { code: "secrets_key" });
  assert.equal(test.stored.problem()?.code, "secrets_key");
  assert.deepEqual(test.stored.of("none", NONE), {});
  Deno.writeTextFileSync(keyFile, key, { mode: 0o600 });
  assert.deepEqual(test.stored.of("a", ALL), { A: "one", B: "two" });
  test.change((_, database) => {
    database.prepare("UPDATE secrets SET value = zeroblob(20) WHERE name = 'A'").run();
  });
  assert.throws(() => test.stored.of("a", ALL), { code: "secret_damaged" });
  assert.deepEqual(test.stored.of("some", SOME), { B: "two" });
  test.set({ A: "again" });
  assert.deepEqual(test.stored.of("a", ALL), { A: "again", B: "two" });
});

Deno.test("StoredSecrets: a database from a newer version fails those who are granted anything", () => {
  using test = new Test();
  test.change((_, database) => {
    database.prepare("INSERT INTO schema_version (version) VALUES (99)").run();
  });
  assert.throws(() => test.stored.of("a", ALL), { code: "state_newer" });
  assert.throws(() => test.stored.of("some", SOME), { code: "state_newer" });
  assert.deepEqual(test.stored.of("none", NONE), {});
  assert.equal(test.stored.problem()?.code, "state_newer");
});

Deno.test("StoredSecrets: what is known holds for a moment, and no longer", () => {
  using test = new Test();
  test.step = 0;
  assert.deepEqual(test.stored.of("a", ALL), {});
  test.set({ A: "one" });
  test.time += SEEN_WITHIN_MS - 1;
  assert.deepEqual(test.stored.of("a", ALL), {});
  test.time += 1;
  assert.deepEqual(test.stored.of("a", ALL), { A: "one" });
  test.set({ A: "two" });
  assert.deepEqual(test.stored.of("a", ALL), { A: "one" });
  assert.deepEqual(test.stored.of("some", SOME), {}, "another agent does not look sooner");
  test.time += SEEN_WITHIN_MS;
  assert.deepEqual(test.stored.of("a", ALL), { A: "two" });
});

Deno.test("StoredSecrets: one by its name, whoever it is granted to, as it is now", () => {
  using test = new Test();
  assert.equal(test.stored.value("A"), undefined);
  test.set({ A: "one", B: "two" });
  assert.deepEqual([test.stored.value("A"), test.stored.value("NONE")], ["one", undefined]);
  test.set({ A: "changed" });
  assert.equal(test.stored.value("A"), "changed");
  assert.deepEqual(test.told.toSorted().at(-1), "two", "every value is masked");
  test.change((_, database) => database.prepare("UPDATE secrets SET value = x'00' WHERE name = 'A'").run());
  assert.throws(() => test.stored.value("A"), { code: "secret_damaged" });
  assert.equal(test.stored.value("B"), "two", "one that can't be read does not keep back the others");
  test.change((store) => store.remove(["A"]));
  assert.equal(test.stored.value("A"), undefined);
});
