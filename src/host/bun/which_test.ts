import assert from "node:assert/strict";
import { which } from "./which.ts";

Deno.test("Bun.which finds programs as a terminal does", () => {
  const folder = Deno.makeTempDirSync({ prefix: "bun-which-" });
  try {
    Deno.mkdirSync(`${folder}/bin/sub`, { recursive: true });
    Deno.writeTextFileSync(`${folder}/bin/tool`, "", { mode: 0o755 });
    Deno.writeTextFileSync(`${folder}/bin/data`, "", { mode: 0o644 });
    const path = `/nowhere:${folder}/bin`;
    const tool = `${folder}/bin/tool`;
    const cases: [Parameters<typeof which>, string | null][] = [
      [["tool", {}, path], tool],
      [["tool", { PATH: path }, undefined], tool],
      [["tool", { PATH: "" }, path], null],
      [["tool", {}, undefined], null],
      [["data", {}, path], null],
      [["sub", {}, path], null],
      [["", {}, path], null],
      [[tool, {}, undefined], tool],
      [[`${folder}/bin/data`, {}, undefined], null],
      [["./tool", { cwd: `${folder}/bin` }, undefined], tool],
      [["bin/tool", { cwd: folder, PATH: "" }, undefined], tool],
      [["tool", { cwd: `${folder}/bin`, PATH: "" }, undefined], null],
      [["tool", { cwd: folder, PATH: "bin" }, undefined], tool],
    ];
    for (const [args, found] of cases) assert.equal(which(...args), found, JSON.stringify(args));
    assert.equal(which(JSON.parse("1"), {}, path), null);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
