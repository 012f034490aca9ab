/**
 * Records the present texts of the five tools' modules in `src/beeuni_tools/released.ts` under the version of
 * `deno.json`. Run it after changing a module: `deno run -A scripts/record_release.ts`.
 */
import { addRelease } from "../src/beeuni_tools/add_release.ts";
import { BEEUNI_TOOLS } from "../src/beeuni_tools/registry.ts";
import { moduleHash, RELEASED } from "../src/beeuni_tools/released.ts";

const root = new URL("../", import.meta.url);
const table = new URL("src/beeuni_tools/released.ts", root);
const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root))) as { version: string };
const tags = await new Deno.Command("git", { args: ["tag", "--list", `v${version}`], cwd: root }).output();
const isOut = new TextDecoder().decode(tags.stdout).trim() !== "";

const lines: string[] = [];
for (const name of BEEUNI_TOOLS) {
  const bytes = await Deno.readFile(new URL(`src/beeuni_tools/${name}.ts`, root));
  const rows = addRelease(RELEASED[name], { version, sha256: moduleHash(bytes), isOut });
  lines.push(
    `  ${name}: [`,
    ...rows.map((row) => `    { version: "${row.version}", sha256: "${row.sha256}" },`),
    "  ],",
  );
}

const source = await Deno.readTextFile(table);
const written = source.replace(
  /(export const RELEASED: .* = \{\n)[^]*?(\n\};)/,
  (_, head, tail) => head + lines.join("\n") + tail,
);
await Deno.writeTextFile(table, written);
