import assert from "node:assert/strict";
import { SessionStore } from "../../sessions/session_store.ts";
import { StateDatabase } from "../../state/database.ts";
import { StoredSessions } from "./stored_sessions.ts";

Deno.test("what a killed daemon left: a turn that ran was interrupted, its call aborted; the rest as it is", async () => {
  const stateDir = Deno.makeTempDirSync({ prefix: "beeuni-stored-" });
  try {
    using database = new StateDatabase(stateDir);
    const store = new SessionStore(database);
    const time = "2026-12-01T10:00:00.000Z";
    for (const [id, state] of [["ses_one1", "completed"], ["ses_two2", "running"]] as const) {
      store.addSession({
        id,
        agent: "beeuni",
        harness: "standard",
        created: time,
        updated: time,
        state,
        title: "t",
      });
      store.addMessage(id, { id: `${id}_u`, role: "user", created: time, text: "Do it.", tools: [] }, false);
      const answer = { id: `${id}_a`, role: "assistant", created: time, text: "I", tools: [] } as const;
      store.addMessage(id, { ...answer, tools: [] }, true);
    }
    const done = store.addCall("ses_two2_a", "c1", "lookup_order", `{"id":1}`, time);
    store.endCall(done, { status: "completed", output: "x", ms: 5 });
    store.addCall("ses_two2_a", "c2", "slow", "{}", time);

    const source = new StoredSessions(store);
    assert.deepEqual((await source.list()).map(({ id, state }) => [id, state]), [
      ["ses_two2", "interrupted"],
      ["ses_one1", "completed"],
    ]);
    const messages = await source.named("ses_t", (id) => source.messages(id, 1));
    assert.deepEqual(messages.map(({ id }) => id), ["ses_two2_a"]);
    assert.deepEqual(messages[0]?.tools, [
      { call: "c1", tool: "lookup_order", status: "completed", args: { id: 1 }, output: "x", ms: 5 },
      { call: "c2", tool: "slow", status: "aborted", args: {}, ms: 0 },
    ]);
    assert.equal((await source.messages("ses_two2")).length, 2);
    await assert.rejects(source.named("ses_two3", () => Promise.resolve()), {
      code: "session_not_found",
      hint: "Did you mean ses_two2?",
    });
  } finally {
    Deno.removeSync(stateDir, { recursive: true });
  }
});
