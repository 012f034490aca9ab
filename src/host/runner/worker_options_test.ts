import assert from "node:assert/strict";
import { workerOptions } from "./worker_options.ts";

const none = {
  read: "inherit",
  write: "inherit",
  net: false,
  run: false,
  sys: false,
  env: false,
  ffi: false,
  import: false,
};

const OPTIONS: [spec: Parameters<typeof workerOptions>[0], permissions: object][] = [
  [{ net: false, run: false, sys: false }, none],
  [{ net: [], run: [], sys: [] }, none],
  [{ net: true, run: false, sys: false }, { ...none, net: "inherit" }],
  [
    { net: ["a.example:443"], run: ["git"], sys: ["hostname"] },
    { ...none, net: ["a.example:443"], run: ["git"], sys: ["hostname"] },
  ],
];
for (const [spec, permissions] of OPTIONS) {
  Deno.test(`workerOptions: every right is named for ${JSON.stringify(spec)}`, () => {
    assert.deepEqual(workerOptions(spec), { type: "module", name: "tool", deno: { permissions } });
  });
}
