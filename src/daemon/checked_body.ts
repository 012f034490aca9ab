import { BeeuniError } from "../errors/error.ts";
import { parseJson } from "./parse_json.ts";
import { type BodySchema, RULE_KEYWORD } from "./schemas.ts";

/** What a validator of ajv says about a value that does not fit, as far as it is used here. */
interface Misfit {
  /** JSON pointer, such as `/args`. */
  instancePath: string;
  params?: { missingProperty?: string };
}

/** A compiled validator of `request_checks.js`. */
export interface BodyCheck {
  (value: unknown): boolean;
  errors?: Misfit[] | null;
}

/**
 * The body of a request, checked against its schema in the route table. No body at all is `{}`.
 *
 * @typeParam Body What fits the schema.
 * @throws {BeeuniError} `bad_request`, with a sentence that names the field and its rule.
 */
export function checkedBody<Body>(bytes: Uint8Array, schema: BodySchema, fits: BodyCheck): Body {
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  if (fits(value)) return value as Body;
  throw new BeeuniError("bad_request", misfitMessage(schema, fits.errors?.[0]));
}

function misfitMessage(schema: BodySchema, misfit: Misfit | undefined): string {
  const missing = misfit?.params?.missingProperty;
  if (missing !== undefined) return `\`${missing}\` is missing.`;
  const name = misfit?.instancePath.slice(1) ?? "";
  const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
  return field === undefined
    ? `the request body ${schema[RULE_KEYWORD]}.`
    : `\`${name}\` ${field[RULE_KEYWORD]}.`;
}
