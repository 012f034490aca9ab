// Writes src/manifest/structure_check.js: `deno run -A scripts/generate_manifest_check.ts`, after a change of
// src/manifest/schema.ts. A unit test fails while the file is stale.
import Ajv from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { manifestSchema } from "../src/manifest/schema.ts";

/** ajv's code for the manifest's JSON Schema: a module without imports. */
export function manifestCheckSource(): string {
  const ajv = new Ajv.default({
    allErrors: true,
    allowUnionTypes: true,
    strict: true,
    strictTypes: false,
    messages: false,
    code: { source: true, esm: true, lines: true },
  });
  const source = standaloneCode.default(ajv, ajv.compile(manifestSchema()));
  if (source.includes("require(")) throw new Error("The check of the manifest may not import anything.");
  return [
    "// Made by scripts/generate_manifest_check.ts from schema.ts: don't change it by hand.",
    "// deno-lint-ignore-file",
    "// deno-fmt-ignore-file",
    `// @ts-self-types="./structure_check.d.ts"`,
    source.trimEnd(),
    "",
  ].join("\n");
}

if (import.meta.main) {
  Deno.writeTextFileSync(
    new URL("../src/manifest/structure_check.js", import.meta.url),
    manifestCheckSource(),
  );
}
