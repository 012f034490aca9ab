import assert from "node:assert/strict";
import { explainRefusals, type RefusalContext } from "./refusal.ts";

const context: RefusalContext = { tool: "lookup_order", root: "/p", net: true, run: false };
const requires = (right: string, target: string) =>
  `Requires ${right} access${target}, run again with the --allow-${right} flag`;

const EXPLAINED: [text: string, explained: string, context?: Partial<RefusalContext>][] = [
  [
    requires("run", ' to "git"'),
    'lookup_order may not run "git": add it under tool_settings.lookup_order.permissions.run',
  ],
  [
    requires("read", ' to "/etc/passwd"'),
    'lookup_order may not read "/etc/passwd": add it under tool_settings.lookup_order.permissions.read',
  ],
  [
    requires("write", ' to "/p/tools/x.ts"'),
    'lookup_order may not write "tools/x.ts": add it under tool_settings.lookup_order.permissions.write',
  ],
  [
    requires("write", ' to "/p/.git/hooks/x"'),
    'lookup_order may not write ".git/hooks/x": it is closed to every tool',
  ],
  [
    requires("write", ' to "/p/package.json"'),
    'lookup_order may not write "package.json": it is closed to every tool',
  ],
  [
    requires("write", " to <TMP>"),
    "lookup_order may not write files: add what it needs under tool_settings.lookup_order.permissions.write",
  ],
  [
    requires("net", ' to "127.0.0.1:9229"'),
    'lookup_order may not connect to "127.0.0.1:9229": this address is closed to every tool',
  ],
  [
    requires("net", ' to "example.com:443"'),
    'lookup_order may not connect to "example.com:443": add it under tool_settings.lookup_order.permissions.net',
    { net: ["api.example.com"] },
  ],
  [
    requires("net", ' to "[::1]:80"'),
    'lookup_order may not connect to "[::1]:80": add it under tool_settings.lookup_order.permissions.net',
    { net: false },
  ],
  [
    requires("env", ' to "AWS_REGION"'),
    'lookup_order may not read the variable "AWS_REGION": add it under tool_settings.lookup_order.permissions.env',
  ],
  [
    requires("sys", ' to "hostname"'),
    'lookup_order may not ask the system for "hostname": add it under tool_settings.lookup_order.permissions.sys',
  ],
  [
    requires("ffi", ' to "/lib/x.so"'),
    'lookup_order may not load native code "/lib/x.so": no tool can be granted that',
  ],
  [
    requires("import", ' to "example.com:443"'),
    "remote imports are not available: install the package beside the module",
  ],
  [
    `could not start: ${requires("run", ' to "git"')} (really)`,
    'could not start: lookup_order may not run "git": add it under tool_settings.lookup_order.permissions.run (really)',
  ],
  [
    `${requires("read", ' to "/a"')}; ${requires("read", ' to "/b"')}`,
    'lookup_order may not read "/a": add it under tool_settings.lookup_order.permissions.read; ' +
    'lookup_order may not read "/b": add it under tool_settings.lookup_order.permissions.read',
  ],
  [
    requires("read", ' to "/etc/a"b\nc"'),
    'lookup_order may not read "/etc/a"b\nc": add it under tool_settings.lookup_order.permissions.read',
  ],
  [
    "Command failed: git --version",
    'Command failed: git --version (lookup_order may not run "git": add it under tool_settings.lookup_order.permissions.run)',
  ],
  ["Command failed: git --version", "Command failed: git --version", { run: ["git"] }],
  [
    "Deno.symlinkSync() requires unscoped --allow-read and --allow-write permissions; path-scoped grants are not supported",
    "lookup_order may not make links: no tool may",
  ],
  ["orders API answered 500", "orders API answered 500"],
  ["", ""],
];
for (const [text, explained, other] of EXPLAINED) {
  Deno.test(`explainRefusals: ${text.slice(0, 70)}`, () => {
    assert.equal(explainRefusals(text, { ...context, ...other }), explained);
  });
}
