import assert from "node:assert/strict";
import { isDeniedAddress } from "./denied_address.ts";

Deno.test("isDeniedAddress knows metadata services and the inspector's port in any spelling", () => {
  const denied = [
    "169.254.169.254",
    "169.254.169.254:80",
    "[::ffff:169.254.169.254]",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "100.100.100.200",
    "fd00:ec2::254",
    "[fd00:ec2::254]:80",
    "[FD00:0EC2:0:0::0254]",
    "127.0.0.1:9229",
    "127.8.8.8:9229",
    "0.0.0.0:9229",
    "[::1]:9229",
    "[::]:9229",
    "[::ffff:127.0.0.1]:9229",
    "localhost:9229",
    "LOCALHOST.:9229",
    "x.localhost:9229",
  ];
  const free = [
    "127.0.0.1",
    "127.0.0.1:80",
    "localhost",
    "::1",
    "orders.example.com:9229",
    "*.localhost",
    "169.254.169.253",
    "[fd00:ec2::255]",
  ];
  for (const host of denied) assert.equal(isDeniedAddress(host), true, host);
  for (const host of free) assert.equal(isDeniedAddress(host), false, host);
});
