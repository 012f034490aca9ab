import assert from "node:assert/strict";
import { deniedLinks, type LinkRulesInput } from "./link_rules.ts";

/** Links of `/p` as `path -> target`; no target = leads nowhere. */
function links(...texts: string[]): LinkRulesInput["links"] {
  return texts.map((text) => {
    const [path = "", target] = text.split(" -> ");
    return { path, target };
  });
}

const BASE: LinkRulesInput = {
  links: [],
  realRoot: "/p",
  readable: ["/node_modules", "/tmp/t"],
  writable: ["/tmp/t"],
  hidden: ["/state"],
  denyRead: [],
  denyWrite: [".git", "tools", "node_modules"],
  grantedRead: [],
  grantedWrite: [],
};

const CASES: [what: string, change: Partial<LinkRulesInput>, read: string[], write: string[]][] = [
  ["inside, harmless", { links: links("a -> /p/data", "b -> /p/data/x.txt") }, [], []],
  ["out of the project", { links: links("a -> /etc", "b/c -> /etc/passwd") }, ["a", "b/c"], ["a", "b/c"]],
  ["to a neighbour with the same beginning", { links: links("a -> /p2") }, ["a"], ["a"]],
  ["nowhere", { links: links("a") }, ["a"], ["a"]],
  ["into something protected", { links: links("g -> /p/.git/hooks", "t -> /p/tools") }, [], ["g", "t"]],
  ["around something protected", { links: links("self -> /p", "sub/up -> /p") }, [], ["self", "sub/up"]],
  [
    "around an escape",
    { links: links("alias -> /p/sub", "sub/evil -> /etc") },
    ["sub/evil", "alias"],
    ["sub/evil", "alias"],
  ],
  [
    "around an alias of an escape",
    { links: links("z -> /p/y", "y/alias -> /p/sub", "sub/evil -> /etc", "w -> /p/z") },
    ["sub/evil", "y/alias", "z", "w"],
    ["sub/evil", "y/alias", "z", "w"],
  ],
  ["to packages above, which may be read", { links: links("x -> /node_modules/zod") }, [], ["x"]],
  ["to the temporary folder", { links: links("x -> /tmp/t/y") }, [], []],
  ["to what is hidden, or around it", { links: links("s -> /state/key", "r -> /"), readable: ["/"] }, [
    "s",
    "r",
  ], [
    "s",
    "r",
  ]],
  [
    "already below something protected",
    { links: links("node_modules/.bin/x -> /p/node_modules/x/cli.js") },
    [],
    [],
  ],
  [
    "below something protected, but out",
    { links: links("node_modules/x -> /home/x") },
    ["node_modules/x"],
    [],
  ],
  ["granted by name", { links: links("data -> /srv/data"), grantedRead: ["data"] }, [], ["data"]],
  [
    "granted by name for both",
    { links: links("data -> /srv/data"), grantedRead: ["data"], grantedWrite: ["data"] },
    [],
    [],
  ],
  ["to a granted folder outside", { links: links("d -> /srv/data/x"), readable: ["/srv/data"] }, [], ["d"]],
  ["to what may not be read", { links: links("e -> /p/.env", "f -> /p/sub"), denyRead: [".env"] }, ["e"], []],
];

Deno.test("deniedLinks: which links join the denied paths", () => {
  for (const [what, change, read, write] of CASES) {
    assert.deepEqual(deniedLinks({ ...BASE, ...change }), { read, write }, what);
  }
});
