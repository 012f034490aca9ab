import assert from "node:assert/strict";
import { checkSameMachine, hostRule } from "./same_machine.ts";

function refusal(hostname: string, headers: Record<string, string>): string {
  try {
    checkSameMachine(new Headers(headers), hostRule(hostname));
    return "allowed";
  } catch (error) {
    return (error as Error).message;
  }
}

const WRONG_HOST = "the request's Host is not this machine.";
const WRONG_ORIGIN = "the request's Origin is not this daemon.";

Deno.test("on a loopback address only loopback names are this machine", () => {
  const allowed = [
    "127.0.0.1",
    "127.0.0.1:80",
    "127.9.9.9:1",
    "localhost:4000",
    "LOCALHOST",
    "[::1]:4000",
    "[::1]",
  ];
  const refused = [
    "",
    "evil.example",
    "evil.example:4000",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "evil.example/127.0.0.1",
    "192.168.0.1:4000",
    "0.0.0.0:4000",
    "[::]:4000",
    "[fd00::1]",
    "::1",
    "127.0.0.1:port",
    "127.0.0.1:4000:1",
    "127.1",
    "2130706433",
    " 127.0.0.1 evil",
  ];
  for (const hostname of ["127.0.0.1", "localhost", "::1", "[::1]"]) {
    for (const host of allowed) assert.equal(refusal(hostname, { host }), "allowed", host);
    for (const host of refused) assert.equal(refusal(hostname, { host }), WRONG_HOST, host);
    assert.equal(refusal(hostname, {}), WRONG_HOST);
  }
});

Deno.test("--host widens what Host may say", () => {
  assert.equal(refusal("10.1.2.3", { host: "10.1.2.3:4000" }), "allowed");
  assert.equal(refusal("10.1.2.3", { host: "127.0.0.1:4000" }), "allowed");
  assert.equal(refusal("10.1.2.3", { host: "10.1.2.4:4000" }), WRONG_HOST);
  assert.equal(refusal("fd00::1", { host: "[fd00::1]:4000" }), "allowed");
  assert.equal(refusal("Sandbox", { host: "sandbox:4000" }), "allowed");
  for (const all of ["0.0.0.0", "::", "[::]"]) {
    assert.equal(refusal(all, { host: "sandbox.internal:4000" }), "allowed");
    assert.equal(refusal(all, {}), WRONG_HOST);
  }
});

Deno.test("an Origin has to be the daemon's own", () => {
  const host = "127.0.0.1:4000";
  for (const origin of ["http://127.0.0.1:4000", "http://localhost:4000", "http://[::1]:4000"]) {
    assert.equal(refusal("127.0.0.1", { host, origin }), "allowed", origin);
  }
  const refused = [
    "null",
    "",
    "http://127.0.0.1",
    "http://127.0.0.1:4001",
    "https://127.0.0.1:4000",
    "http://evil.example:4000",
    "http://evil.example",
    "http://127.0.0.1:4000/path",
    "http://user@127.0.0.1:4000",
    "file://",
    "127.0.0.1:4000",
  ];
  for (const origin of refused) assert.equal(refusal("127.0.0.1", { host, origin }), WRONG_ORIGIN, origin);
  assert.equal(refusal("127.0.0.1", { host: "localhost", origin: "http://localhost" }), "allowed");
  assert.equal(
    refusal("0.0.0.0", { host: "sandbox:4000", origin: "http://sandbox:4000" }),
    "allowed",
  );
  assert.equal(refusal("0.0.0.0", { host: "sandbox:4000", origin: "http://evil:4000" }), WRONG_ORIGIN);
});
