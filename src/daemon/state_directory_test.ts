import assert from "node:assert/strict";
import { projectId, stateDirectory } from "./state_directory.ts";

function directory(variables: Record<string, string>): Promise<string> {
  return stateDirectory({ realRoot: "/home/ada/Shop App", cwd: "/work", env: (name) => variables[name] });
}

Deno.test("BEEUNI_STATE_DIR wins, then XDG_STATE_HOME, then the home folder", async () => {
  const id = await projectId("/home/ada/Shop App");
  const all = { BEEUNI_STATE_DIR: "/state", XDG_STATE_HOME: "/xdg", HOME: "/home/ada" };
  assert.equal(await directory(all), "/state");
  assert.equal(await directory({ ...all, BEEUNI_STATE_DIR: "here" }), "/work/here");
  assert.equal(await directory({ ...all, BEEUNI_STATE_DIR: "" }), `/xdg/beeuni/${id}`);
  assert.equal(await directory({ HOME: "/home/ada" }), `/home/ada/.local/state/beeuni/${id}`);
  assert.equal(
    await directory({ XDG_STATE_HOME: "relative", HOME: "/home/ada" }),
    `/home/ada/.local/state/beeuni/${id}`,
  );
});

Deno.test("without any of them it is an error that says what to set", async () => {
  for (const variables of [{}, { HOME: "" }, { HOME: "relative" }, { XDG_STATE_HOME: "relative" }]) {
    await assert.rejects(directory(variables), {
      code: "unwritable",
      message: "the state directory is not known: HOME is not set.",
      hint: "Set BEEUNI_STATE_DIR to a folder that only you can write.",
    });
  }
});

Deno.test("a project's id is readable, fit for a file name, and its own", async () => {
  assert.match(await projectId("/home/ada/Shop App"), /^shop-app-[0-9a-f]{12}$/);
  assert.match(await projectId("/"), /^project-[0-9a-f]{12}$/);
  assert.match(await projectId("/x/日本"), /^project-[0-9a-f]{12}$/);
  assert.match(await projectId(`/${"x".repeat(255)}`), /^x{40}-[0-9a-f]{12}$/);
  assert.notEqual(await projectId("/a/shop"), await projectId("/b/shop"));
  assert.equal(await projectId("/a/shop"), await projectId("/a/shop"));
});
