import { manifestSchema } from "../../manifest/schema.ts";
import { type CommandResult, jsonDocument } from "./result.ts";

/** `beeuni schema`: the JSON Schema of the manifest, for editors (specification 1.6). */
export function printSchema(): CommandResult {
  return { stdout: jsonDocument(manifestSchema()), exitCode: 0 };
}
