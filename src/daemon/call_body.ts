import { BeeuniError } from "../errors/error.ts";
import { parseJson } from "./parse_json.ts";
import { callTool as fits } from "./request_checks.js";
import { CALL_BODY, type CallBody, RULE_KEYWORD } from "./schemas.ts";

/** What a validator of ajv says about a value that does not fit, as far as it is used here. */
interface Misfit {
  /** JSON pointer, such as `/args`. */
  instancePath: string;
}

/**
 * The body of a call, checked against its schema in the route table. No body at all is `{}`: nothing in it is
 * required.
 *
 * @throws {BeeuniError} `bad_request`, with a sentence that names the field and its rule.
 */
export function parseCallBody(bytes: Uint8Array): CallBody {
  if (bytes.length === 0) return {};
  const value = parseJson(bytes);
  const check: { (value: unknown): boolean; errors?: Misfit[] | null } = fits;
  if (check(value)) return value as CallBody;
  throw new BeeuniError("bad_request", misfitMessage(check.errors?.[0]?.instancePath ?? ""));
}

function misfitMessage(pointer: string): string {
  const name = pointer.slice(1);
  const schema = name in CALL_BODY.properties
    ? CALL_BODY.properties[name as keyof typeof CALL_BODY.properties]
    : undefined;
  return schema === undefined
    ? `the request body ${CALL_BODY[RULE_KEYWORD]}.`
    : `\`${name}\` ${schema[RULE_KEYWORD]}.`;
}
