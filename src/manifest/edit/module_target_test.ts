import assert from "node:assert/strict";
import { TempProject } from "../testing/temp_project.ts";
import { moduleTarget } from "./module_target.ts";

Deno.test("moduleTarget: where a module may be written, without links, never outside (L8)", () => {
  using project = new TempProject({
    "tools/x.ts": "",
    "src/y.ts": "",
    "inner": { link: "src" },
    "inner.ts": { link: "src/y.ts" },
    "out": { link: ".." },
    "out.ts": { link: "../out.ts" },
    "../out.ts": "",
    "dangling.ts": { link: "../nothing.ts" },
    "way": { link: "../nowhere" },
    "../link": { link: "project" },
  });
  for (const path of [project.root, project.path("../link")]) {
    const root = { path, real: project.root };
    const cases: [relative: string, target: string][] = [
      ["tools/x.ts", "tools/x.ts"],
      ["tools/new.ts", "tools/new.ts"],
      ["a/b/new.ts", "a/b/new.ts"],
      ["new.ts", "new.ts"],
      ["inner/new.ts", "src/new.ts"],
      ["inner.ts", "src/y.ts"],
    ];
    for (const [relative, target] of cases) assert.equal(moduleTarget(root, relative), project.path(target));
    for (const relative of ["out/new.ts", "out.ts", "dangling.ts", "way/new.ts", "out/a/b.ts"]) {
      assert.throws(() => moduleTarget(root, relative), {
        code: "unwritable",
        message: /^"[^"]+" is reached through a symlink that leaves the repository\.$/,
      }, relative);
    }
  }
});
