import assert from "node:assert/strict";
import { SpillWriter } from "./spill_writer.ts";

async function inFolder(test: (root: string) => void): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    test(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
const encode = (text: string) => new TextEncoder().encode(text);
const names = (root: string) => [...Deno.readDirSync(`${root}/a/b`)].map(({ name }) => name);

for (
  const sizes of [[60_000], [1, 1, 59_998], [51_200, 8_800], [51_199, 2, 8_799], [20_000, 20_000, 20_000]]
) {
  Deno.test(`SpillWriter: pieces of ${sizes.join(", ")} bytes are one file and one beginning`, () =>
    inFolder((root) => {
      const text = Array.from({ length: 60_000 }, (_, at) => "abcdefg"[at % 7]).join("");
      const spill = new SpillWriter(`${root}/a/b`, "t");
      let at = 0;
      for (const size of sizes.slice(0, -1)) spill.write(encode(text.slice(at, at += size)));
      if (sizes.length > 1) assert.match(names(root).join(), /^t-\d{8}T\d{6}-[0-9a-f]{8}\.part$/);
      const { frame, json } = spill.finish({ bytes: encode(text.slice(at)), lines: 1, json: false });
      const body = JSON.parse(json);
      assert.deepEqual([frame, body.bytes, body.lines, body.truncated], ["result", 60_000, 1, true]);
      assert.equal(`${root}/a/b/${names(root).join()}`, body.file);
      assert.match(body.file, /\.txt$/);
      assert.equal(Deno.readTextFileSync(body.file), text);
      const head = body.output.slice(0, body.output.indexOf("\n\n["));
      assert.ok(head.length > 50_000 && text.startsWith(head));
      assert.equal(encode(body.output).length, 51_200);
    }));
}

Deno.test("SpillWriter: what is dropped leaves nothing", () =>
  inFolder((root) => {
    const spill = new SpillWriter(`${root}/a/b`, "t");
    spill.write(encode("half"));
    spill.drop();
    assert.deepEqual(names(root), []);
  }));

Deno.test("SpillWriter: without a file the beginning is answered, and dropping it is nothing", () =>
  inFolder((root) => {
    Deno.symlinkSync("/", `${root}/a`);
    const spill = new SpillWriter(`${root}/a/b`, "t");
    spill.write(encode("x".repeat(60_000)));
    const error = { code: "tool_failed" as const, detail: "d" };
    const { frame, json } = spill.finish({ bytes: encode("y"), lines: 1, json: false, error });
    const { message, ...rest } = JSON.parse(json);
    assert.deepEqual([frame, rest], ["error", error]);
    assert.ok(
      message.endsWith(
        `x\n\n[Output truncated: 60001 bytes, 1 lines. The rest was lost: ${root}/a is a link.]`,
      ),
    );
    new SpillWriter(`${root}/a/b`, "t").drop();
  }));
