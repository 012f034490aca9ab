import assert from "node:assert/strict";
import { runnerFlags, type RunnerFlagsInput } from "./runner_flags.ts";

const TREE: Record<string, string[]> = { "/p": ["a,b", "pics", "tools"] };
const BASE: RunnerFlagsInput = {
  rights: { read: ["/p", "/e"], write: ["/p"], net: true, run: [], sys: [] },
  denyRead: [],
  denyWrite: [],
  denyNet: ["127.0.0.1:9229"],
  cwd: "/p",
  importMap: "/e/import_map.json",
  heapMb: 512,
  children: (folder) => TREE[folder] ?? [],
};

/** The values of each path flag. */
function lists(change: Partial<RunnerFlagsInput>): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const flag of runnerFlags({ ...BASE, ...change }).flags) {
    const match = /^--((?:allow|deny)-(?:read|write))=(.*)$/.exec(flag);
    if (match?.[1] !== undefined) (found[match[1]] ??= []).push(...match[2]?.split(",") ?? []);
  }
  return found;
}

Deno.test("runnerFlags: the flags of specification 2.3", () => {
  const { flags, unsaid } = runnerFlags({
    ...BASE,
    rights: { ...BASE.rights, net: ["a.test", "b.test:1"], run: ["git"], sys: ["hostname", "osRelease"] },
    denyRead: ["/p/.env"],
    denyWrite: ["/p/.git", "/p/.git/hooks", "/p/tools", "/elsewhere"],
    denyNet: ["127.0.0.1:8000", "[::1]:8000"],
    heapMb: 64,
  });
  assert.deepEqual(unsaid, []);
  assert.deepEqual(flags, [
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--cached-only",
    "--node-modules-dir=manual",
    "--ignore-env",
    "--unstable-worker-options",
    "--unstable-sloppy-imports",
    "--import-map=/e/import_map.json",
    "--v8-flags=--max-old-space-size=64,--max-semi-space-size=4",
    "--allow-read=/p,/e",
    "--deny-read=/p/.env",
    "--allow-write=/p",
    "--deny-write=/p/.git,/p/tools",
    "--allow-net=a.test,b.test:1",
    "--deny-net=127.0.0.1:8000,[::1]:8000",
    "--allow-run=git",
    "--allow-sys=hostname,osRelease",
  ]);
});

Deno.test("runnerFlags: no right = no flag; all of the net = the bare flag", () => {
  const { flags } = runnerFlags({ ...BASE, rights: { read: [], write: [], net: [], run: [], sys: [] } });
  assert.deepEqual(flags.filter((flag) => flag.startsWith("--allow")), []);
  assert.ok(runnerFlags(BASE).flags.includes("--allow-net"));
});

Deno.test("runnerFlags: a denied path around a root does not take the root away", () => {
  assert.deepEqual(lists({ denyRead: ["/", "/p"], denyWrite: ["/p"] }), {
    "allow-read": ["/p", "/e"],
    "allow-write": ["/p"],
  });
});

Deno.test("runnerFlags: commas, which no list can spell, end on the closed side", () => {
  const cases: [
    what: string,
    change: Partial<RunnerFlagsInput>,
    expected: Record<string, string[]>,
    unsaid: string[],
  ][] = [
    [
      "the project itself",
      { cwd: "/x,y", rights: { ...BASE.rights, read: ["/x,y", "/e"], write: ["/x,y"] } },
      {
        "allow-read": [".", "/e"],
        "allow-write": ["."],
      },
      [],
    ],
    [
      "a denied path in such a project",
      {
        cwd: "/x,y",
        rights: { ...BASE.rights, read: ["/x,y"], write: ["/x,y"] },
        denyWrite: ["/x,y/tools"],
      },
      { "allow-read": ["."], "allow-write": ["."], "deny-write": ["./tools"] },
      [],
    ],
    ["a granted path elsewhere", { rights: { ...BASE.rights, read: ["/p", "/d,1"], write: [] } }, {
      "allow-read": ["/p"],
    }, ["/d,1"]],
    ["a denied path: the folder around it is denied", { denyWrite: ["/p/pics/1,2.jpg"] }, {
      "allow-read": ["/p", "/e"],
      "allow-write": ["/p"],
      "deny-write": ["/p/pics"],
    }, []],
    ["a denied path directly below a root: the root is granted without it", { denyRead: ["/p/a,b/c"] }, {
      "allow-read": ["/p/pics", "/p/tools", "/e"],
      "allow-write": ["/p"],
    }, ["/p/a,b"]],
  ];
  for (const [what, change, expected, unsaid] of cases) {
    assert.deepEqual(lists(change), expected, what);
    assert.deepEqual(runnerFlags({ ...BASE, ...change }).unsaid, unsaid, what);
  }
  assert.deepEqual(runnerFlags({ ...BASE, denyRead: ["/p/a,b/c"] }).granted.read, [
    "/p/pics",
    "/p/tools",
    "/e",
  ]);
});

Deno.test("runnerFlags: a list longer than one argument may be is given in several", () => {
  const denyWrite = Array.from({ length: 5_000 }, (_, index) => `/p/some/longer/folder/name/${index}`);
  const flags = runnerFlags({ ...BASE, denyWrite }).flags.filter((flag) => flag.startsWith("--deny-write="));
  assert.ok(flags.length > 1);
  assert.ok(flags.every((flag) => flag.length < 128 * 1024));
  assert.equal(lists({ denyWrite })["deny-write"]?.length, 5_000);
});
