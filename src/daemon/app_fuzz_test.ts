import assert from "node:assert/strict";
import fc from "fast-check";
import { fuzz } from "../../tests/support/fuzz.ts";
import { ERROR_CODES } from "../errors/codes.ts";
import { createLogger } from "../log/logger.ts";
import { SessionBench } from "../sessions/testing/session_bench.ts";
import { createApp } from "./app.ts";
import { Events } from "./events.ts";
import { Metrics } from "./metrics.ts";
import { ROUTES } from "./routes.ts";
import { MemoryHost } from "./testing/memory_host.ts";

const KEY = "0123456789abcdef".repeat(4);

/** Words that mean something somewhere in a path, and what breaks paths. */
const segment = fc.oneof(
  fc.constantFrom(
    "beeuni",
    "tools",
    "calls",
    "echo",
    "sessions",
    "",
    "..",
    "%2e%2e",
    "%00",
    "__proto__",
    "constructor",
  ),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);
const route = fc.constantFrom(...Object.values(ROUTES).map(({ path }) => path));
const path = fc.oneof(
  fc.tuple(route, segment).map(([path, value]) => path.replace(/\{\w+\}/, value)),
  fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`),
);
const query = fc.oneof(
  fc.constant(""),
  fc.record({ agent: fc.string(), limit: fc.string() }).map((given) => `?${new URLSearchParams(given)}`),
  fc.string({ maxLength: 20 }).map((text) => `?${encodeURI(text)}`),
);
const method = fc.constantFrom("GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD");
const headers = fc.record({
  authorization: fc.oneof(
    { weight: 8, arbitrary: fc.constant(`Bearer ${KEY}`) },
    { weight: 1, arbitrary: fc.constantFrom("", "Bearer", "Basic eDp5", `Bearer ${KEY}0`) },
  ),
  host: fc.oneof(
    { weight: 8, arbitrary: fc.constant("127.0.0.1:4000") },
    { weight: 1, arbitrary: fc.constantFrom("example.com", "[::1]", "", "localhost:99999") },
  ),
  origin: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    "null",
    "http://127.0.0.1:4000",
    "https://example.com",
  ),
  "content-length": fc.constantFrom(undefined, undefined, "0", "-1", "99999999999", "x"),
});
const body = fc.oneof(
  fc.constant(undefined),
  fc.json(),
  fc.string(),
  fc.uint8Array({ maxLength: 50 }),
  fc.record({
    args: fc.anything(),
    agent: fc.anything(),
    session: fc.anything(),
    call: fc.anything(),
    directory: fc.anything(),
    prompt: fc.anything(),
    answer: fc.anything(),
  }, { requiredKeys: [] }).map((value) => {
    try {
      return JSON.stringify(value);
    } catch {
      return "{";
    }
  }),
);

Deno.test("fuzz: no request makes the daemon answer 500, and every error is a sentence with a code", async () => {
  await using bench = new SessionBench();
  const logger = createLogger({ write: (bytes) => Promise.resolve(bytes.length) });
  const app = createApp({
    host: new MemoryHost(),
    root: "/nowhere",
    key: KEY,
    version: "1.2.3",
    logger,
    events: new Events(),
    metrics: new Metrics(),
    sessions: () => Promise.resolve(bench.service),
    body: { deadlineMs: 100 },
  });
  await fc.assert(
    fc.asyncProperty(method, path, query, headers, body, async (method, path, query, headers, body) => {
      const given: [string, string][] = [];
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) given.push([name, value]);
      const init: RequestInit = { method, headers: given };
      if (body !== undefined && method !== "GET" && method !== "HEAD") init.body = body as BodyInit;
      const response = await app.request(`http://127.0.0.1:4000${path}${query}`, init);
      // A reader of events would wait for ever.
      if (response.status < 400 || method === "HEAD") return await response.body?.cancel();
      const text = await response.text();
      assert.ok(response.status < 500, `${response.status} ${text}`);
      const { error, code } = JSON.parse(text);
      assert.match(error, /^\S[^]*[.!?)`]$|is loaded$|may not use /);
      assert.ok(Object.hasOwn(ERROR_CODES, code), code);
    }),
    fuzz(1500),
  );
});
