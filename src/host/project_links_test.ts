import assert from "node:assert/strict";
import { join } from "node:path";
import { ProjectLinks } from "./project_links.ts";

Deno.test("ProjectLinks: every link, also in node_modules and .git; found again as the tree changes", async () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const folder = (path: string) => Deno.mkdirSync(join(root, path), { recursive: true });
    const link = (path: string, target: string) => Deno.symlinkSync(target, join(root, path));
    const project = new ProjectLinks(root);
    const scan = async () => {
      const { links, nested } = await project.scan();
      const shown = links.map(({ path, target }) => `${path} -> ${target?.replace(root, "R") ?? "nothing"}`);
      return { links: shown.sort(), nested: nested.sort() };
    };
    assert.deepEqual(await scan(), { links: [], nested: [] });
    folder("node_modules/zod/lib");
    folder("packages/a/node_modules/b");
    folder(".git/hooks");
    folder("vendor/x/.git");
    link("out", "/etc");
    link("node_modules/zod/lib/deep", "../../../packages");
    link(".git/l", "hooks");
    link("packages/self", "..");
    link("dead", "nowhere");
    link("loop", "loop");
    const expected = {
      links: [
        ".git/l -> R/.git/hooks",
        "dead -> nothing",
        "loop -> nothing",
        "node_modules/zod/lib/deep -> R/packages",
        "out -> /etc",
        "packages/self -> R",
      ],
      nested: ["packages/a/node_modules", "vendor/x/.git"],
    };
    assert.deepEqual(await scan(), expected);
    assert.deepEqual(await scan(), expected, "the second walk says the same");

    link("packages/a/new", "/etc/passwd");
    folder("nowhere");
    Deno.removeSync(join(root, "out"));
    Deno.removeSync(join(root, "vendor"), { recursive: true });
    assert.deepEqual(await scan(), {
      links: [
        ".git/l -> R/.git/hooks",
        "dead -> R/nowhere",
        "loop -> nothing",
        "node_modules/zod/lib/deep -> R/packages",
        "packages/a/new -> /etc/passwd",
        "packages/self -> R",
      ],
      nested: ["packages/a/node_modules"],
    });
    Deno.removeSync(join(root, "packages/a/new"));
    link("packages/a/new", "/etc/group");
    assert.ok((await scan()).links.includes("packages/a/new -> /etc/group"), "replaced within a moment");
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("ProjectLinks: a root that is gone has none", async () => {
  assert.deepEqual(await new ProjectLinks("/nowhere/at/all").scan(), { links: [], nested: [] });
});
