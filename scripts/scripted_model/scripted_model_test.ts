import assert from "node:assert/strict";
import {
  lastToolResult,
  type ScriptedModel,
  type ScriptedModelOptions,
  scriptedPrompt,
  startScriptedModel,
  type Step,
} from "./scripted_model.ts";
import type { ChatMessage } from "./chat_request.ts";

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant: ChatMessage = { role: "assistant", content: "…" };

function ask(
  model: ScriptedModel,
  messages: ChatMessage[],
  options: { stream?: boolean; key?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const { stream = false, key = "k", signal } = options;
  return fetch(`${model.url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: "scripted", stream, messages }),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function message(model: ScriptedModel, messages: ChatMessage[]) {
  const response = await ask(model, messages);
  return (await response.json()).choices[0].message;
}

async function withModel(
  work: (model: ScriptedModel) => Promise<void>,
  options: ScriptedModelOptions = {},
): Promise<void> {
  await using model = await startScriptedModel(options);
  await work(model);
}

Deno.test("scripted model: a prompt's script, step by step", () =>
  withModel(async (model) => {
    const prompt = user(`${
      scriptedPrompt([
        { tool: "lookup", args: { list: ["a]"] } },
        { tools: [{ tool: "a" }, { tool: "b", raw: "{no json" }], text: "two" },
        { echo: true },
      ])
    }\n<reminder>[x]</reminder>`);
    assert.deepEqual((await message(model, [prompt])).tool_calls[0].function, {
      name: "lookup",
      arguments: '{"list":["a]"]}',
    });
    const second = await message(model, [prompt, assistant]);
    assert.equal(second.content, "two");
    assert.deepEqual(
      second.tool_calls.map((call: { function: unknown }) => call.function),
      [{ name: "a", arguments: "{}" }, { name: "b", arguments: "{no json" }],
    );
    const tool = { role: "tool", tool_call_id: "c", content: "its result" };
    assert.equal((await message(model, [prompt, assistant, assistant, tool])).content, "its result");
    assert.equal((await message(model, [prompt, assistant, assistant, assistant])).content, "done");
    assert.equal(model.turns("lookup").length, 4);
    assert.equal(model.turns("elsewhere").length, 0);
  }));

Deno.test("scripted model: scripts by words, titles, and a prompt without a script", () =>
  withModel(async (model) => {
    model.on("weather", [
      { tool: "weather_now" },
      (request) => ({ text: `It says ${lastToolResult(request)}` }),
    ]);
    const messages = [user("the weather, please")];
    assert.equal((await message(model, messages)).tool_calls[0].function.name, "weather_now");
    const tool = { role: "tool", content: [{ type: "text", text: "rain" }] };
    assert.equal((await message(model, [...messages, assistant, tool])).content, "It says rain");
    assert.equal((await message(model, [user("hello")])).content, "This prompt has no script.");
    const title = [{ role: "system", content: "You are a title generator." }, ...messages];
    assert.equal((await message(model, title)).content, "A scripted session");
    assert.deepEqual(model.requests.map(({ title }) => title), [false, false, false, true]);
  }));

Deno.test("scripted model: a streamed message is what the whole one is", () =>
  withModel(async (model) => {
    const args = { text: "x".repeat(100) };
    const prompt = user(scriptedPrompt([{ tool: "t", args, text: "some words  here" }]));
    const text = await (await ask(model, [prompt], { stream: true })).text();
    const events = text.trimEnd().split("\n\n").map((event) => event.replace("data: ", ""));
    assert.equal(events.pop(), "[DONE]");
    const chunks = events.map((event) => JSON.parse(event));
    const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice: { delta: unknown }) => choice.delta));
    assert.equal(deltas.map((delta) => delta.content ?? "").join(""), "some words  here");
    const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
    assert.equal(calls[0].function.name, "t");
    assert.deepEqual(JSON.parse(calls.map((call) => call.function.arguments).join("")), args);
    assert.equal(chunks.at(-2).choices[0].finish_reason, "tool_calls");
  }));

Deno.test("scripted model: failures, as often as the script says", () =>
  withModel(async (model) => {
    const steps: Step[] = [
      { status: 429, headers: { "retry-after": "1" }, times: 2 },
      { text: "first" },
      { status: 500, body: "<html>" },
    ];
    const prompt = user(scriptedPrompt(steps));
    for (let time = 0; time < 2; time++) {
      const response = await ask(model, [prompt]);
      assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "1"]);
      assert.equal((await response.json()).error.message, "Rate limit reached for requests.");
    }
    assert.equal((await message(model, [prompt])).content, "first");
    for (let time = 0; time < 3; time++) {
      const response = await ask(model, [prompt, assistant]);
      assert.deepEqual([response.status, response.headers.get("content-type")], [500, "text/html"]);
      await response.body?.cancel();
    }
  }));

Deno.test("scripted model: a cut connection, silence, a slow answer nobody waits for, a wrong key", () =>
  withModel(async (model) => {
    const cut = await ask(model, [user(scriptedPrompt([{ cut: true, text: "half" }]))], { stream: true });
    await assert.rejects(cut.text());
    const { signal, abort } = aborter();
    const silent = await ask(model, [user(scriptedPrompt([{ silent: true, text: "half" }]))], {
      stream: true,
      signal,
    });
    const reader = silent.body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.match((await reader.read()).value!, /half/);
    const next = reader.read();
    abort();
    await assert.rejects(next);
    const slow = aborter();
    const waiting = ask(model, [user(scriptedPrompt([{ text: "late", sleep: 60_000 }]))], {
      signal: slow.signal,
    });
    while (model.requests.length < 3) await new Promise((done) => setTimeout(done, 5));
    slow.abort();
    await assert.rejects(waiting);
    while (!model.requests[2]!.abandoned) await new Promise((done) => setTimeout(done, 5));
    const stranger = await ask(model, [user("x")], { key: "wrong" });
    assert.equal(stranger.status, 401);
    assert.equal((await stranger.json()).error.message, "Incorrect API key provided.");
  }, { key: "k" }));

Deno.test("scripted model: its list of models", () =>
  withModel(async (model) => {
    const list = await (await fetch(`${model.url}/models`)).json();
    assert.deepEqual(list.data, [{ id: "scripted", object: "model" }]);
  }));

function aborter(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
