import assert from "node:assert/strict";
import { join } from "node:path";
import { BeeuniError } from "../errors/error.ts";
import { StateDatabase } from "../state/database.ts";
import { SecretStore } from "./secret_store.ts";

/** A store in a folder that goes away. */
class Store implements Disposable {
  readonly stateDir = Deno.makeTempDirSync({ prefix: "beeuni-secrets-" });
  readonly database = new StateDatabase(this.stateDir);
  readonly store = this.with(undefined);
  readonly keyFile = join(this.stateDir, "secrets.key");

  with(variable: string | undefined): SecretStore {
    return new SecretStore(this.database, { stateDir: this.stateDir, variable });
  }

  /** Values, and codes in place of those that can't be had. */
  read(store = this.store): Record<string, string> {
    const values = [...store.read()].map(([name, stored]) => {
      return [name, "value" in stored ? stored.value : `(${stored.error.code})`];
    });
    return Object.fromEntries(values);
  }

  [Symbol.dispose](): void {
    this.database[Symbol.dispose]();
    Deno.removeSync(this.stateDir, { recursive: true });
  }
}

function set(store: SecretStore, values: Record<string, string>): void {
  store.set(new Map(Object.entries(values)));
}

function caught(work: () => unknown): BeeuniError {
  try {
    work();
  } catch (error) {
    if (error instanceof BeeuniError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function code(work: () => unknown): string {
  return caught(work).code;
}

const KEY = "0123456789abcdef".repeat(4);
const OTHER_KEY = "fedcba9876543210".repeat(4);

Deno.test("SecretStore: what was set is read back, listed by name, and replaced", () => {
  using test = new Store();
  assert.deepEqual([test.store.list(), test.read()], [[], {}]);
  const before = new Date().toISOString();
  set(test.store, { B: "b\r\n'\"$(id)", A: "" });
  set(test.store, { B: "second" });
  assert.deepEqual(test.read(), { A: "", B: "second" });
  assert.deepEqual(test.store.list().map(({ name }) => name), ["A", "B"]);
  for (const { updated } of test.store.list()) {
    assert.ok(updated >= before && updated <= new Date().toISOString(), updated);
  }
});

Deno.test("SecretStore: the first set makes the key, 0600, and the next ones keep it", () => {
  using test = new Store();
  set(test.store, { A: "one" });
  const info = Deno.statSync(test.keyFile);
  assert.equal((info.mode ?? 0) & 0o777, 0o600);
  const key = Deno.readTextFileSync(test.keyFile);
  assert.match(key, /^[0-9a-f]{64}\n$/);
  set(test.store, { B: "two" });
  assert.equal(Deno.readTextFileSync(test.keyFile), key);
});

Deno.test("SecretStore: BEEUNI_SECRETS_KEY is used in place of a file, and none is made", () => {
  using test = new Store();
  set(test.with(KEY), { A: "one" });
  assert.throws(() => Deno.statSync(test.keyFile), Deno.errors.NotFound);
});

Deno.test("SecretStore: a key of another form is refused, and its text not told", () => {
  using test = new Store();
  for (const bad of ["short", KEY.slice(1), `${KEY}0`, KEY.replace("0", "g"), `0x${KEY.slice(2)}`]) {
    const error = caught(() => set(test.with(bad), { A: "one" }));
    assert.equal(error.code, "secrets_key");
    assert.equal(error.message, "the key of the secrets, BEEUNI_SECRETS_KEY, is not 64 hex digits.");
    assert.match(error.hint ?? "", /64 hex digits \(32 bytes\)/);
  }
  set(test.with(` ${KEY.toUpperCase()}\n`), { A: "one" });
  assert.deepEqual(test.read(test.with(KEY)), { A: "one" });
});

Deno.test("SecretStore: a key file that can't be trusted is refused and kept", () => {
  using test = new Store();
  set(test.store, { A: "one" });
  const key = Deno.readTextFileSync(test.keyFile);
  Deno.chmodSync(test.keyFile, 0o640);
  assert.deepEqual(test.read(), { A: "(secrets_key)" });
  assert.equal(code(() => set(test.store, { A: "two" })), "secrets_key");
  Deno.chmodSync(test.keyFile, 0o600);
  for (const text of ["", "no key", `${KEY}${KEY}`, "x".repeat(1000)]) {
    Deno.writeTextFileSync(test.keyFile, text);
    assert.equal(code(() => set(test.store, { A: "two" })), "secrets_key");
    assert.equal(Deno.readTextFileSync(test.keyFile), text);
  }
  Deno.writeTextFileSync(test.keyFile, key);
  assert.deepEqual(test.read(), { A: "one" });
});

Deno.test("SecretStore: with another key nothing is read, nothing is set and nothing is lost", () => {
  using test = new Store();
  set(test.with(KEY), { A: "one", B: "two" });
  const other = test.with(OTHER_KEY);
  assert.deepEqual(test.read(other), { A: "(secrets_key)", B: "(secrets_key)" });
  const error = caught(() => set(other, { C: "three" }));
  assert.equal(error.message, "the secrets A, B were stored with another key than BEEUNI_SECRETS_KEY.");
  assert.equal(code(() => set(other, { A: "three" })), "secrets_key", "B would be lost");
  assert.equal(
    code(() => set(test.store, { A: "three" })),
    "secrets_key",
    "no key is made beside one that is missing",
  );
  assert.equal(test.store.list().length, 2);
  assert.deepEqual(test.read(test.with(KEY)), { A: "one", B: "two" });
  // All of them anew, or after they are removed: then the other key is the key.
  set(other, { A: "three", B: "four" });
  assert.deepEqual(test.read(other), { A: "three", B: "four" });
  test.store.remove(["A", "B"]);
  set(test.with(KEY), { C: "five" });
  assert.deepEqual(test.read(test.with(KEY)), { C: "five" });
});

Deno.test("SecretStore: a lost key file is told, and no new one takes its place", () => {
  using test = new Store();
  set(test.store, { A: "one" });
  const key = Deno.readTextFileSync(test.keyFile);
  Deno.removeSync(test.keyFile);
  assert.deepEqual(test.read(), { A: "(secrets_key)" });
  const error = caught(() => set(test.store, { B: "two" }));
  assert.equal(error.message, "the key of the stored secrets is missing.");
  assert.throws(() => Deno.statSync(test.keyFile), Deno.errors.NotFound);
  Deno.writeTextFileSync(test.keyFile, key, { mode: 0o600 });
  assert.deepEqual(test.read(), { A: "one" });
});

Deno.test("SecretStore: a changed row is told and hides no other; a row under another name is a changed one", () => {
  using test = new Store();
  set(test.store, { A: "one", B: "two", C: "three" });
  test.database.prepare("UPDATE secrets SET value = zeroblob(length(value)) WHERE name = 'A'").run();
  test.database.prepare(
    "UPDATE secrets SET (iv, value) = (SELECT iv, value FROM secrets WHERE name = 'C') WHERE name = 'B'",
  ).run();
  assert.deepEqual(test.read(), { A: "(secret_damaged)", B: "(secret_damaged)", C: "three" });
  set(test.store, { A: "again" });
  assert.deepEqual(test.read(), { A: "again", B: "(secret_damaged)", C: "three" });
});

Deno.test("SecretStore: remove takes all or none, and needs no key", () => {
  using test = new Store();
  set(test.store, { ALPHA: "one", BETA: "two" });
  Deno.removeSync(test.keyFile);
  const error = caught(() => test.store.remove(["ALPHA", "BETTA"]));
  assert.equal(error.code, "secret_not_found");
  assert.equal(error.message, "no secret BETTA is set; nothing was removed.");
  assert.equal(error.hint, "Did you mean BETA?");
  assert.equal(test.store.list().length, 2);
  test.store.remove(["ALPHA", "BETA"]);
  assert.deepEqual(test.store.list(), []);
});

Deno.test("SecretStore: a process killed between two values of one set leaves the old ones", async () => {
  using test = new Store();
  set(test.store, { A: "one", B: "two" });
  const from = (path: string) => JSON.stringify(import.meta.resolve(path));
  const program = `
    import { StateDatabase } from ${from("../state/database.ts")};
    import { SecretStore } from ${from("./secret_store.ts")};
    class Deadly extends Map {
      *[Symbol.iterator]() {
        yield ["A", "new".repeat(40_000)];
        yield ["B", "new".repeat(40_000)];
        Deno.kill(Deno.pid, "SIGKILL");
      }
    }
    const stateDir = ${JSON.stringify(test.stateDir)};
    new SecretStore(new StateDatabase(stateDir), { stateDir }).set(new Deadly());
  `;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--ext=ts", "-"],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(program));
  await writer.close();
  assert.equal((await child.status).signal, "SIGKILL");
  assert.deepEqual(test.read(), { A: "one", B: "two" });
  set(test.store, { A: "three" });
  assert.deepEqual(test.read(), { A: "three", B: "two" });
});
