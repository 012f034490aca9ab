import { BeeuniError } from "../errors/error.ts";

/** The variable that sends every provider name to one OpenAI-compatible server (specification 4.2). */
export const BASE_URL_VARIABLE = "BEEUNI_MODEL_BASE_URL";

/** The variable with that server's key; a server may need none. */
export const BASE_URL_KEY_VARIABLE = "BEEUNI_MODEL_API_KEY";

const HINT = `Set ${BASE_URL_VARIABLE} to the address of an OpenAI-compatible server, with its /v1, ` +
  "such as http://127.0.0.1:8080/v1, or unset it.";

/**
 * The base of an OpenAI-compatible API, without a final `/`.
 *
 * @param value What `BEEUNI_MODEL_BASE_URL` holds.
 * @throws {BeeuniError} `no_model` when it is no address of such an API. The message never repeats a password in it.
 */
export function modelBaseUrl(value: string): string {
  const url = URL.parse(value.trim());
  if (url === null) throw refused(`is no URL: ${JSON.stringify(value.slice(0, 200))}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused(`must start with http:// or https://, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("must have no user and password in it", `Put the key in ${BASE_URL_KEY_VARIABLE}.`);
  }
  if (url.search !== "" || url.hash !== "") throw refused("must have no ? or # part");
  const path = url.pathname.replace(/\/+$/, "");
  const route = /\/(?:chat\/completions|completions|responses|messages|models)$/.exec(path)?.[0];
  if (route !== undefined) throw refused(`must end before ${route}, which is added to it`);
  return `${url.origin}${path}`;
}

function refused(what: string, hint = HINT): BeeuniError {
  return new BeeuniError("no_model", `the model can't be reached: ${BASE_URL_VARIABLE} ${what}`, { hint });
}
