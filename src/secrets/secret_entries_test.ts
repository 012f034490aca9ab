import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { secretEntries } from "./secret_entries.ts";

Deno.test("secretEntries: the name ends at the first =, the value is as it stands", () => {
  const rows: [string, string, string | undefined][] = [
    ["A=b", "A", "b"],
    ["A=", "A", ""],
    ["A=-", "A", undefined],
    ["A=--", "A", "--"],
    ["A= -", "A", " -"],
    ["A=b=c==", "A", "b=c=="],
    ["_A1=x\ny\r\n", "_A1", "x\ny\r\n"],
    [`${"A".repeat(64)}=x`, "A".repeat(64), "x"],
    ["PATHS=x", "PATHS", "x"],
    ["MY_PATH=x", "MY_PATH", "x"],
    ["BEEUNI=x", "BEEUNI", "x"],
    ["ENVIRONMENT=x", "ENVIRONMENT", "x"],
    ["LD=x", "LD", "x"],
    ["NODE_OPTIONS_X=x", "NODE_OPTIONS_X", "x"],
  ];
  for (const [argument, name, value] of rows) {
    assert.deepEqual(secretEntries([argument]), [{ name, value }], argument);
  }
  assert.deepEqual(secretEntries(["A=1", "B=-", "C=3"]).map(({ name }) => name), ["A", "B", "C"]);
});

Deno.test("secretEntries: names that change how programs run are refused", () => {
  const names = [
    ...["BEEUNI_", "BEEUNI_TOKEN", "BEEUNI_SECRETS_KEY", "PATH", "HOME", "SHELL", "IFS", "ENV", "BASH_ENV"],
    ...["LD_PRELOAD", "LD_", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "DENO_DIR", "DENO_AUTH_TOKENS"],
  ];
  for (const name of names) {
    assert.throws(() => secretEntries([`${name}=value-of-it`]), {
      code: "usage",
      exitCode: 2,
      message: `${name} can't be a secret: it changes how programs run.`,
    });
  }
});

Deno.test("secretEntries: what is wrong is told without what may be a value", () => {
  const rows: [string[], string][] = [
    [["A"], "argument 1 has no value."],
    [["A=1", "hunter2hunter2"], "argument 2 is not NAME=VALUE."],
    [["-----BEGIN"], "argument 1 is not NAME=VALUE."],
    [["=value"], "argument 1 has no name for a secret (^[A-Z_][A-Z0-9_]{0,63}$)."],
    [["c2VjcmV0dmFsdWU="], "argument 1 has no name for a secret (^[A-Z_][A-Z0-9_]{0,63}$)."],
    [["c2VjcmV0dmFsdW=="], "argument 1 has no name for a secret (^[A-Z_][A-Z0-9_]{0,63}$)."],
    [["https://x.test/?key=abc"], "argument 1 has no name for a secret (^[A-Z_][A-Z0-9_]{0,63}$)."],
    [["weather-key=abc"], "weather-key is not a name for a secret (^[A-Z_][A-Z0-9_]{0,63}$)."],
    [[`${"A".repeat(65)}=x`], "argument 1 has no name for a secret (^[A-Z_][A-Z0-9_]{0,63}$)."],
    [["1A=x"], "argument 1 has no name for a secret (^[A-Z_][A-Z0-9_]{0,63}$)."],
    [["A=1", "A=2"], "A is given twice."],
    [["A=-", "B=1", "C=-"], "only one value can come from stdin, not those of A, C."],
  ];
  for (const [args, message] of rows) {
    assert.throws(() => secretEntries(args), { code: "usage", exitCode: 2, message }, args.join(" "));
  }
  const hint = (argument: string) => {
    try {
      secretEntries([argument]);
    } catch (error) {
      return error instanceof BeeuniError ? error.hint : undefined;
    }
  };
  assert.equal(hint("weather-key=abc"), "Write WEATHER_KEY=…");
});
