import assert from "node:assert/strict";
import { addRelease } from "./add_release.ts";
import { BEEUNI_TOOLS } from "./registry.ts";
import { moduleHash, RELEASED, releaseOf } from "./released.ts";

Deno.test("the last row of each tool is the module beside the table", async () => {
  for (const name of BEEUNI_TOOLS) {
    const bytes = await Deno.readFile(new URL(`${name}.ts`, import.meta.url));
    assert.equal(
      RELEASED[name].at(-1)?.sha256,
      moduleHash(bytes),
      `${name}.ts is not recorded: run \`deno run -A scripts/record_release.ts\`.`,
    );
  }
});

Deno.test("the table has each text and each version once", () => {
  for (const name of BEEUNI_TOOLS) {
    const rows = RELEASED[name];
    assert.equal(new Set(rows.map((row) => row.sha256)).size, rows.length);
    assert.equal(new Set(rows.map((row) => row.version)).size, rows.length);
    for (const row of rows) assert.match(row.sha256, /^[0-9a-f]{64}$/);
  }
});

Deno.test("an unchanged copy is known, a changed one is not", () => {
  const last = RELEASED.memory.at(-1);
  assert(last);
  assert.deepEqual(releaseOf("memory", last.sha256), { version: last.version, outdated: false });
  assert.equal(releaseOf("show", last.sha256), undefined);
  assert.equal(releaseOf("memory", moduleHash(new TextEncoder().encode("mine"))), undefined);
});

Deno.test("a release is added, replaced before it is out, refused after", () => {
  const first = { version: "1.0.0", sha256: "a" };
  const second = { version: "1.1.0", sha256: "b" };
  const cases: [
    ReturnType<typeof addRelease>,
    Parameters<typeof addRelease>[1],
    ReturnType<typeof addRelease>,
  ][] = [
    [[], { ...first, isOut: false }, [first]],
    [[first], { ...first, isOut: true }, [first]],
    [[first], { ...second, isOut: false }, [first, second]],
    [[first], { version: "1.1.0", sha256: "a", isOut: false }, [first]],
    [[first, second], { version: "1.2.0", sha256: "a", isOut: false }, [second, {
      version: "1.2.0",
      sha256: "a",
    }]],
    [[first, second], { version: "1.1.0", sha256: "c", isOut: false }, [first, {
      version: "1.1.0",
      sha256: "c",
    }]],
  ];
  for (const [rows, release, expected] of cases) assert.deepEqual(addRelease(rows, release), expected);
  assert.throws(() => addRelease([first], { version: "1.0.0", sha256: "c", isOut: true }), {
    message: "The module changed after 1.0.0 was released: raise the version in deno.json first.",
  });
});
