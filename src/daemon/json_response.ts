const HEADERS = { "content-type": "application/json" };

/** A value as a JSON answer. */
export function jsonResponse(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: HEADERS });
}
