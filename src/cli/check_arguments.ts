import type { ErrorObject, ValidateFunction } from "ajv";
import { BeeuniError } from "../errors/error.ts";

/**
 * Checks the arguments of a call against the tool's `parameters` (specification 2.7). The host itself never does:
 * what does not fit is the tool's business, unless the user asks.
 *
 * @throws {BeeuniError} `args_invalid`, naming everything that does not fit, also in `details.problems`.
 */
export async function checkArguments(
  tool: string,
  parameters: Record<string, unknown>,
  args: Record<string, unknown>,
): Promise<void> {
  let fits: ValidateFunction;
  try {
    fits = (await compiler(parameters.$schema)).compile(withoutDialect(parameters));
  } catch (cause) {
    throw new BeeuniError(
      "args_invalid",
      `the parameters of ${tool} can't be used to check arguments: ${
        cause instanceof Error ? cause.message : String(cause)
      }.`,
      { hint: "Call it without --check-args, or change its schema.", cause },
    );
  }
  if (fits(args)) return;
  const problems = [...new Set((fits.errors ?? []).map(problem))];
  throw new BeeuniError("args_invalid", `the arguments do not fit ${tool}: ${problems.join("; ")}.`, {
    hint: `\`beeuni tools schema ${tool}\` prints what it takes.`,
    details: { problems },
  });
}

/** What is used of an ajv instance. */
interface Compiler {
  compile(schema: Record<string, unknown>): ValidateFunction;
}

/** The compiler for the dialect that `$schema` names; 2020-12 when it names none. */
async function compiler(dialect: unknown): Promise<Compiler> {
  // A default filled in or a number made from text would hide what the tool really gets.
  const options = { strict: false, validateFormats: false, logger: false, allErrors: true } as const;
  const name = String(dialect ?? "");
  if (name.includes("draft-07")) return new (await import("../json_schema/draft_07.ts")).Ajv(options);
  if (name.includes("2019-09")) return new (await import("../json_schema/draft_2019_09.ts")).Ajv2019(options);
  return new (await import("../json_schema/draft_2020_12.ts")).Ajv2020(options);
}

function withoutDialect({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

/** One misfit as `` `items.0.id` must be string``. */
function problem({ instancePath, keyword, params, message = "does not fit" }: ErrorObject): string {
  const place = instancePath.slice(1).split("/").filter((part) => part !== "").map(unescapePointer);
  if (keyword === "required") return `\`${[...place, params.missingProperty].join(".")}\` is missing`;
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const name = params.additionalProperty ?? params.unevaluatedProperty;
    return `\`${[...place, name].join(".")}\` is not known`;
  }
  const values: unknown = params.allowedValues;
  const allowed = Array.isArray(values) ? `: ${values.map((value) => JSON.stringify(value)).join(", ")}` : "";
  return `${place.length === 0 ? "they" : `\`${place.join(".")}\``} ${message}${allowed}`;
}

function unescapePointer(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}
