import assert from "node:assert/strict";
import { eventually } from "./support/eventually.ts";
import { OpenCodeDoor } from "./support/opencode_door.ts";
import { SessionBench } from "./support/sessions.ts";

// What a hostile program with the user's rights can make of the standard harness (docs/security.md): it has the password
// of OpenCode's server, and answers in the user's place.

const LOOK_UP = { tool: "lookup_order", args: { id: "A-1043" } };
const STANDARD = { harness: "standard" } as const;

let bench: SessionBench;

Deno.test.beforeAll(async () => {
  bench = await SessionBench.start({ fixture: "sessions/main" });
});

Deno.test.afterAll(() => bench[Symbol.asyncDispose]());

function test(name: string, fn: () => Promise<void>): void {
  // The password of a process can be read by its user on Linux alone.
  const ignore = Deno.build.os !== "linux";
  Deno.test({
    name: `standard harness, attacked: ${name}`,
    ignore,
    sanitizeOps: false,
    sanitizeResources: false,
    fn,
  });
}

for (const reply of ["once", "always"]) {
  test(`a question that was answered ${reply} at OpenCode itself allows nothing`, async () => {
    const { id } = await bench.begin(bench.prompt([LOOK_UP, { text: "done" }]), {
      ...STANDARD,
      agent: "asked",
    });
    const question = await bench.question(id);
    const door = new OpenCodeDoor(bench);
    const { body: [pending] } = await door.request("GET", "/permission");
    assert.equal((await door.request("POST", `/permission/${pending.id}/reply`, { reply })).status, 200);
    const { state, questions } = await bench.ended(id);
    assert.equal(state, "failed");
    const messages = await bench.messages(id);
    assert.match(
      messages.at(-1)?.error ?? "",
      /^OpenCode was ended: a question of it was answered, and not through Beeuni/,
    );
    assert.deepEqual(questions, [], "nothing waits any more");
    const [call] = messages.flatMap(({ tools }) => tools);
    assert.ok(call && ["refused", "aborted"].includes(call.status), JSON.stringify(call));
    assert.equal(call.output, undefined);
    const late = await bench.post(`/beeuni/sessions/${id}/answer`, { answer: "once", question: question.id });
    assert.equal(late.status, 409);
    const next = await bench.turn([LOOK_UP, { text: "done" }], {
      ...STANDARD,
      session: id,
      answers: ["once"],
    });
    assert.deepEqual(next.calls.map(({ status }) => status), ["completed"], "and it is asked again");
    assert.equal(next.questions.length, 1);
  });
}

/** Calls of `given` that OpenCode knows of, with how they ended. */
async function givenCalls(
  door: OpenCodeDoor,
  session: string,
): Promise<{ status: string; error?: string }[]> {
  const { body } = await door.request("GET", `/session/${session}/message`);
  // deno-lint-ignore no-explicit-any -- OpenCode's own messages
  return body.flatMap(({ parts }: any) => parts).filter((part: any) => part.tool === "given")
    // deno-lint-ignore no-explicit-any -- as above
    .map(({ state }: any) => state);
}

for (
  const [name, agent, place] of [
    ["a session of its own", "beeuni", "apart"],
    ["a subagent that no task started", "beeuni", "below"],
    ["a session of its own as the agent that runs", "asked", "apart"],
    ["the session whose turn runs, as another agent", "beeuni", "inside"],
  ] as const
) {
  test(`a prompt at OpenCode itself calls no hosted tool: ${name}`, async () => {
    const { id } = await bench.begin(bench.prompt([LOOK_UP, { text: "done" }]), {
      ...STANDARD,
      agent: "asked",
    });
    await bench.question(id);
    const door = new OpenCodeDoor(bench);
    const { body: sessions } = await door.request("GET", "/session");
    const { id: inside } = sessions.find(({ title }: { title: string }) => title === `beeuni ${id}`);
    const made = place === "inside" ? undefined : await door.request("POST", "/session", {
      title: "hostile",
      ...place === "below" && { parentID: inside },
    });
    const session: string = made?.body.id ?? inside;
    const prompt = bench.prompt([{ tool: "given", args: { text: "hostile" } }, { text: "called" }]);
    const sent = await door.request("POST", `/session/${session}/prompt_async`, {
      agent,
      model: { providerID: "beeuni-scripted", modelID: "model" },
      parts: [{ type: "text", text: prompt }],
    });
    assert.equal(sent.status, 204, JSON.stringify(sent.body));
    if (place === "inside") await bench.post(`/beeuni/sessions/${id}/answer`, { answer: "once" });
    const [call] = await eventually(async () => {
      const calls = await givenCalls(door, session);
      assert.ok(
        calls.some(({ status }) => status === "error" || status === "completed"),
        JSON.stringify(calls),
      );
      return calls;
    }, { within: 30_000 });
    if (place !== "inside") await bench.post(`/beeuni/sessions/${id}/answer`, { answer: "once" });
    await bench.ended(id);
    assert.equal(call!.status, "error", JSON.stringify(call));
    assert.match(
      call!.error!,
      /^(?:Error: )?agent \w+ may not use given: no turn of this agent runs in that session/,
    );
  });
}
