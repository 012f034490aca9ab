import assert from "node:assert/strict";
import { callTimeout } from "./call_timeout.ts";

Deno.test("callTimeout: the caller's, else the setting, else 2 minutes, 10 for the web tools", () => {
  assert.equal(callTimeout({ tool: "lookup_order" }, undefined), 120_000);
  for (const tool of ["web_search", "image_search", "scrape_webpage"]) {
    assert.equal(callTimeout({ tool }, undefined), 600_000);
    assert.equal(callTimeout({ tool }, { timeoutMs: 30_000 }), 30_000);
  }
  assert.equal(callTimeout({ tool: "memory" }, {}), 120_000);
  assert.equal(callTimeout({ tool: "x", timeoutMs: 5 }, { timeoutMs: 30_000 }), 5);
});
