import assert from "node:assert/strict";
import type { Places } from "./places.ts";
import { loadRunnerRights, runnerRights, workerRights } from "./runner_rights.ts";
import type { ToolRights } from "./tool_rights.ts";

const PLACES: Places = {
  root: "/p",
  realRoot: "/p",
  nodeModulesAbove: [],
  spillRoot: "/tmp/spill",
  beeuniTools: "/e/tools",
  engine: "/e",
  secret: [],
};

function tool(rights: Partial<ToolRights>): ToolRights {
  return {
    read: [],
    write: [],
    net: [],
    run: [],
    sys: [],
    env: [],
    named: { read: [], write: [] },
    share: "",
    ...rights,
  };
}

const PROJECT = tool({ read: ["/p", "/t"], write: ["/p", "/t"], net: true });
const MEMORY = tool({ read: ["/p/memory", "/e/tools/memory.ts"], write: ["/p/memory"] });
const WEB = tool({ read: ["/e/tools/web.ts"], net: ["api.test:443"] });
const SHOW = tool({ read: ["/p", "/t", "/tmp/spill", "/e/tools/show.ts"] });
const SOCKET = "/run/s/s";

Deno.test("runnerRights: what its tools need together, and no more", () => {
  assert.deepEqual(runnerRights([PROJECT, MEMORY], PLACES), {
    read: ["/e/tools/memory.ts", "/p", "/p/memory", "/t", "/e", "/tmp/spill"],
    write: ["/p", "/p/memory", "/t", "/tmp/spill"],
    net: true,
    run: [],
    sys: [],
  });
  const narrow = runnerRights([WEB, tool({ net: ["b.test"], run: ["git"], sys: ["hostname"] })], PLACES);
  assert.deepEqual(narrow.write, ["/tmp/spill"]);
  assert.deepEqual([narrow.net, narrow.run, narrow.sys], [["api.test:443", "b.test"], ["git"], ["hostname"]]);
});

Deno.test("loadRunnerRights: nothing to write, no program", () => {
  const rights = loadRunnerRights([PROJECT, tool({ run: ["git"], sys: ["hostname"] })], PLACES);
  assert.deepEqual([rights.write, rights.run, rights.sys], [[], [], ["hostname"]]);
  assert.ok(!rights.read.includes("/tmp/spill"));
});

Deno.test("workerRights: every root the tool does not have is given up, in an order that keeps what it has", () => {
  const process = runnerRights([PROJECT, MEMORY, WEB, SHOW], PLACES);
  const lost = (rights: ToolRights) => workerRights(rights, process, [], SOCKET).revoke;
  // `/p/memory` lies in what a project tool has: revoking it would take `/p` away.
  assert.deepEqual(lost(PROJECT), {
    read: ["/e/tools/memory.ts", "/e/tools/show.ts", "/e/tools/web.ts", "/tmp/spill", "/e", SOCKET],
    write: ["/tmp/spill", SOCKET],
  });
  assert.deepEqual(lost(MEMORY), {
    read: ["/e/tools/show.ts", "/e/tools/web.ts", "/p", "/t", "/tmp/spill", "/e", SOCKET],
    write: ["/p", "/t", "/tmp/spill", SOCKET],
  });
  assert.deepEqual(lost(SHOW).read, ["/e/tools/memory.ts", "/e/tools/web.ts", "/e", SOCKET]);
  assert.deepEqual(lost(SHOW).write, ["/p", "/p/memory", "/t", "/tmp/spill", SOCKET]);
});

Deno.test("workerRights: lists without what is denied or not there", () => {
  const process = { ...runnerRights([PROJECT], PLACES), run: ["git"], sys: [] };
  const denied = ["127.0.0.1:8000", "169.254.169.254"];
  const rights = (change: Partial<ToolRights>) => workerRights(tool(change), process, denied, SOCKET);
  assert.equal(rights({ net: true }).net, true);
  assert.deepEqual(rights({ net: ["a.test", "127.0.0.1:8000", "127.0.0.1:80", "169.254.169.254:80"] }).net, [
    "a.test",
    "127.0.0.1:80",
  ]);
  assert.deepEqual(rights({ net: [] }).net, []);
  assert.deepEqual([rights({}).run, rights({}).sys], [false, false]);
  assert.deepEqual(rights({ run: ["git"] }).run, ["git"]);
  // The load runner has no program: a tool's list must not make its worker fail.
  assert.equal(rights({ run: ["ls"], sys: ["hostname"] }).run, false);
  assert.equal(rights({ run: ["ls"], sys: ["hostname"] }).sys, false);
});
