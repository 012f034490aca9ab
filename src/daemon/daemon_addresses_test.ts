import assert from "node:assert/strict";
import { daemonAddresses } from "./daemon_addresses.ts";

const INTERFACES = ["127.0.0.1", "::1", "10.0.0.5", "fe80::1%eth0", "fd00::5"].map((address) => ({
  address,
}));

Deno.test("where else a daemon can be reached", () => {
  const cases: [string, string[]][] = [
    ["127.0.0.1", []],
    ["localhost", []],
    ["::1", []],
    ["[::1]", []],
    ["10.0.0.5", ["10.0.0.5"]],
    ["fd00::5", ["[fd00::5]"]],
    ["0.0.0.0", ["10.0.0.5", "[fe80::1]", "[fd00::5]"]],
    ["::", ["10.0.0.5", "[fe80::1]", "[fd00::5]"]],
  ];
  for (const [hostname, expected] of cases) {
    assert.deepEqual(daemonAddresses(hostname, INTERFACES), expected, hostname);
  }
});
