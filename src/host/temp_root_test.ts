import assert from "node:assert/strict";
import { tempRoot } from "./temp_root.ts";

Deno.test("tempRoot: outside the project, without a comma, short enough, not granted to a tool", () => {
  const all = () => true;
  const cases: [wanted: string, roots: string[], granted: string[], expected: string][] = [
    ["/tmp", ["/workspace"], [], "/tmp"],
    ["/my/tmp", ["/workspace"], [], "/my/tmp"],
    ["/workspace/tmp", ["/workspace"], [], "/tmp"],
    ["/tmp", ["/tmp"], [], "/var/tmp"],
    ["/a,b", ["/workspace"], [], "/tmp"],
    [`/${"x".repeat(80)}`, ["/workspace"], [], "/tmp"],
    ["/tmp", ["/workspace"], ["/tmp"], "/var/tmp"],
    ["/tmp", ["/workspace"], ["/"], "/tmp"],
  ];
  for (const [wanted, roots, granted, expected] of cases) {
    assert.equal(tempRoot(wanted, roots, granted, all), expected, wanted);
  }
  assert.equal(tempRoot("/gone", ["/p"], [], (folder) => folder === "/dev/shm"), "/dev/shm");
  assert.throws(() => tempRoot("/tmp", ["/"], [], all), { code: "unwritable" });
  assert.throws(() => tempRoot("/tmp", ["/p"], [], () => false), { code: "unwritable" });
});
