import assert from "node:assert/strict";
import { deniedAddresses, withoutDenied } from "./denied_addresses.ts";

const FIXED = [
  "127.0.0.1:9229",
  "0.0.0.0:9229",
  "[::1]:9229",
  "[::]:9229",
  "localhost:9229",
  "169.254.169.254",
  "100.100.100.200",
  "[fd00:ec2::254]",
];

Deno.test("deniedAddresses: the daemon, the inspector, metadata services", () => {
  assert.deepEqual(deniedAddresses(undefined), FIXED);
  assert.deepEqual(deniedAddresses(4000), [
    "127.0.0.1:4000",
    "0.0.0.0:4000",
    "[::1]:4000",
    "[::]:4000",
    "localhost:4000",
    ...FIXED,
  ]);
  assert.deepEqual(deniedAddresses(4000, ["10.0.0.5"]).slice(0, 6), [
    "127.0.0.1:4000",
    "0.0.0.0:4000",
    "[::1]:4000",
    "[::]:4000",
    "localhost:4000",
    "10.0.0.5:4000",
  ]);
});

Deno.test("withoutDenied: a list never holds a denied address", () => {
  const list = [
    "a.test",
    "127.0.0.1:9229",
    "127.0.0.1:80",
    "169.254.169.254:80",
    "169.254.169.254",
    "[::1]:9229",
  ];
  assert.deepEqual(withoutDenied(list, FIXED), ["a.test", "127.0.0.1:80"]);
});
