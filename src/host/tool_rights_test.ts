import assert from "node:assert/strict";
import type { ToolKind, ToolPermissions } from "../manifest/model.ts";
import type { Places } from "./places.ts";
import { type ToolRights, toolRights } from "./tool_rights.ts";

const PLACES: Places = {
  root: "/p",
  realRoot: "/p",
  nodeModulesAbove: ["/node_modules"],
  spillRoot: "/tmp/beeuni-tool-output",
  beeuniTools: "/e/tools",
  engine: "/e",
  secret: ["/state"],
};
const READ = ["/p", "/node_modules", "/tmp/t"];

function rights(name: string, kind: ToolKind, permissions?: ToolPermissions, places = PLACES): ToolRights {
  return toolRights({
    entry: { name, kind, source: kind === "beeuni" ? `beeuni:${name}` : `tools/${name}.ts` },
    permissions,
    places,
    tmp: "/tmp/t",
    providerHosts: ["api.tavily.com:443"],
    modules: ["/p/tools/x.ts", "/p/node_modules"],
  });
}

Deno.test("toolRights: the default of a project tool", () => {
  const expected: ToolRights = {
    read: READ,
    write: ["/p", "/tmp/t"],
    net: true,
    run: [],
    sys: [],
    env: [],
    named: { read: [], write: [] },
    share: "",
  };
  assert.deepEqual(rights("lookup_order", "project"), expected);
  assert.deepEqual(rights("web_search", "beeuni (overridden)"), expected);
  assert.deepEqual(rights("memory", "beeuni (overridden)"), expected);
});

Deno.test("toolRights: tools of ours have less", () => {
  const { read, write, net, share } = rights("web_search", "beeuni");
  assert.deepEqual([read, write, net, share], [["/e/tools/web_search.ts"], [], ["api.tavily.com:443"], ""]);
  const memory = rights("memory", "beeuni");
  assert.deepEqual(memory.read, ["/p/memory", "/e/tools/memory.ts"]);
  assert.deepEqual([memory.write, memory.net], [["/p/memory"], []]);
  const show = rights("show", "beeuni");
  assert.deepEqual(show.read, [...READ, "/tmp/beeuni-tool-output", "/e/tools/show.ts"]);
  assert.deepEqual([show.write, show.net], [[], []]);
  // Whoever replaces `show` has to present what an earlier call left as well.
  assert.ok(rights("show", "beeuni (overridden)").read.includes("/tmp/beeuni-tool-output"));
});

Deno.test("toolRights: settings", () => {
  const cases: [permissions: ToolPermissions, expected: Partial<ToolRights>, shared: boolean][] = [
    [{}, {}, true],
    [{ net: true }, { net: true }, true],
    [{ net: false }, { net: [] }, true],
    [{ net: ["a.test:1"] }, { net: ["a.test:1"] }, true],
    [{ write: false }, { write: [] }, true],
    [{ env: ["AWS_REGION"] }, { env: ["AWS_REGION"] }, true],
    [{ write: ["out"] }, { write: ["/p", "/tmp/t", "/p/out"], named: { read: [], write: ["out"] } }, false],
    [
      { write: ["./a/../out/"] },
      { write: ["/p", "/tmp/t", "/p/out"], named: { read: [], write: ["out"] } },
      false,
    ],
    [{ read: ["/srv/data"] }, { read: [...READ, "/srv/data"], named: { read: [], write: [] } }, false],
    [{ read: ["/p/in"] }, { read: [...READ, "/p/in"], named: { read: ["in"], write: [] } }, false],
    [{ read: false }, { read: ["/p/tools/x.ts", "/p/node_modules"] }, false],
    [{ run: ["git"] }, { run: ["git"] }, false],
    [{ sys: ["hostname"] }, { sys: ["hostname"] }, false],
  ];
  const base = rights("x", "project");
  for (const [permissions, expected, shared] of cases) {
    const { share, ...found } = rights("x", "project", permissions);
    const { share: _, ...rest } = base;
    assert.deepEqual(found, { ...rest, ...expected }, JSON.stringify(permissions));
    assert.equal(share === "", shared, JSON.stringify(permissions));
  }
  // Alike = together; not alike = apart.
  const share = (permissions: ToolPermissions) => rights("x", "project", permissions).share;
  assert.equal(share({ run: ["git"] }), share({ run: ["git"], net: false }));
  assert.notEqual(share({ run: ["git"] }), share({ run: ["ls"] }));
  assert.notEqual(share({ read: ["/a"] }), share({ write: ["/a"] }));
});

Deno.test("toolRights: a project reached through a link is known by both names", () => {
  const places = { ...PLACES, root: "/link", realRoot: "/p" };
  const found = rights("x", "project", { write: ["out"] }, places);
  assert.deepEqual(found.write, ["/link", "/p", "/tmp/t", "/link/out", "/p/out"]);
  assert.deepEqual(found.named.write, ["out"]);
  assert.deepEqual(rights("memory", "beeuni", {}, places).write, ["/link/memory", "/p/memory"]);
});
