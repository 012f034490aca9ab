import { join } from "node:path";
import { Project } from "./project.ts";

/** Stands in every file that no tool may see. */
export const SENTINEL = "SENTINEL-5f1d0c";

/** The smallest WebAssembly module there is. */
const EMPTY_WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/**
 * The project of `fixtures/hostile/escapes` with what git can't keep: `.git`, the outside, and links that lead
 * there. Its state directory lies inside the checkout, where the default rights would show it.
 */
export function escapeProject(): Project {
  const project = new Project({ fixture: "hostile/escapes" });
  const outside = (name: string, content: string | Uint8Array) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(join(project.outside, name), bytes);
  };
  outside("secret.txt", `SENTINEL=${SENTINEL}\n`);
  outside("secret.json", JSON.stringify({ secret: SENTINEL }));
  for (const extension of ["ts", "mjs", "js"]) {
    outside(`secret.${extension}`, `export const secret = "${SENTINEL}";\n`);
  }
  outside("secret.cjs", `module.exports = { secret: "${SENTINEL}" };\n`);
  outside("secret.wasm", EMPTY_WASM);
  outside("victim.txt", "as it was");
  Deno.mkdirSync(join(project.outside, "package"));
  outside("package/package.json", '{ "name": "linked-package", "type": "module", "exports": "./index.js" }');
  outside("package/index.js", `export const secret = "${SENTINEL}";\n`);
  project.write(".git/config", "[core]\n");
  project.write(".git/hooks/README", "hooks\n");
  project.write("data/note.txt", "a note\n");
  const link = (target: string, path: string) => Deno.symlinkSync(target, project.path(path));
  link(project.outside, "data/link_to_outside");
  link("../../outside/secret.ts", "data/link_to_secret.ts");
  link("../.git", "data/link_to_git");
  link("../tools", "data/link_to_tools");
  link("..", "data/link_to_root");
  link("../../outside/not-there-yet.txt", "data/link_to_nothing");
  link("../../outside/package", "node_modules/linked-package");
  return project;
}
