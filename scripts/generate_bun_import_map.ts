/**
 * Writes src/host/bun/import_map.json from the lists in src/host/bun (`deno run -A scripts/generate_bun_import_map.ts`).
 *
 * The runner starts with this map (`--import-map`); src/host/bun/bun_module_test.ts fails when it is stale.
 */
import { bunImportMap } from "../src/host/bun/bun_module.ts";

const file = new URL("../src/host/bun/import_map.json", import.meta.url);
await Deno.writeTextFile(file, JSON.stringify(bunImportMap(), null, 2) + "\n");
