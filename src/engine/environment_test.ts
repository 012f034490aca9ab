import assert from "node:assert/strict";
import { restoreEnvironment } from "./environment.ts";

const TABLE: [name: string, before: Record<string, string>, after: Record<string, string>][] = [
  [
    "what was unset is unset again",
    { BEEUNI_OUTER: "1", DENO_DIR: "/ours", DENO_NO_UPDATE_CHECK: "1", HOME: "/h" },
    { HOME: "/h" },
  ],
  [
    "what was set has its value again",
    { BEEUNI_OUTER: "1", DENO_DIR: "/ours", BEEUNI_OUTER_DENO_DIR: "/theirs" },
    { DENO_DIR: "/theirs" },
  ],
  [
    "an empty value stays empty",
    { BEEUNI_OUTER: "1", DENO_DIR: "/ours", BEEUNI_OUTER_DENO_DIR: "" },
    { DENO_DIR: "" },
  ],
  [
    "Deno's own node leaves the path",
    {
      BEEUNI_OUTER: "1",
      DENO_DIR: "/ours",
      DENO_NODE_SHIM_ACTIVE: "1",
      PATH: "/ours/node_compat_bin:/bin:/usr/bin",
    },
    { PATH: "/bin:/usr/bin" },
  ],
  ["without the header nothing changes", { DENO_DIR: "/theirs" }, { DENO_DIR: "/theirs" }],
];
for (const [name, before, after] of TABLE) {
  Deno.test(`restoreEnvironment: ${name}`, () => {
    const env = new Map(Object.entries(before));
    restoreEnvironment(env);
    assert.deepEqual(Object.fromEntries(env), after);
  });
}
