import assert from "node:assert/strict";
import { checkUsing } from "./check_using.ts";

Deno.test("checkUsing: every declaration of the plain bundle has to be in the minified one", () => {
  const plain = [
    "{ using a = open();\n  await using b = make(); }",
    "const used = 1; const o = { using: 2 };",
  ];
  checkUsing("main.ts", plain, ["{using o=open();await using m=make()}"]);
  checkUsing("main.ts", ["{ using a = x(); using b = y(); }"], ["{using o=x(),m=y()}"]);
  assert.throws(
    () => checkUsing("main.ts", plain, ["{await using m=make()}"]),
    /main\.ts: the bundle has 1 of 2/,
  );
});
