import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatRequest, messageText } from "./chat_request.ts";
import { chooseStep, findScript } from "./choose_step.ts";
import { completionOf, streamedChunks, streamedEnd, wholeAnswer } from "./completion.ts";
import type { ScriptStep, Step } from "./step.ts";

export { type ChatRequest, lastToolResult, messageText, offeredTools } from "./chat_request.ts";
export { scriptedPrompt } from "./choose_step.ts";
export type { CallStep, ScriptStep, Step } from "./step.ts";

/** One request for a completion, as it arrived. */
export interface ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: ChatRequest;
  /** The body's own bytes, as text. */
  raw: string;
  /** Whether a harness only wanted a title for a session. */
  title: boolean;
  /** When it arrived, in milliseconds of `performance.now()`. */
  at: number;
  /** Whether the client hung up before the answer was over. */
  abandoned: boolean;
}

/** Options of {@link startScriptedModel}. */
export interface ScriptedModelOptions {
  /** The only key that is taken; any without. */
  key?: string;
  /** Default any free one. */
  port?: number;
}

/** An OpenAI-compatible server on 127.0.0.1 whose model does what a script says. */
export interface ScriptedModel extends AsyncDisposable {
  /** Base of its API with `/v1`, for `BEEUNI_MODEL_BASE_URL`. */
  url: string;
  /** Every request for a completion, in the order they arrived. */
  requests: ModelRequest[];
  /** The requests of turns, without those for titles, whose prompt contains `words`. */
  turns(words?: string): ModelRequest[];
  /**
   * The script of every prompt that contains `words`. A prompt may also carry its own, see `scriptedPrompt`. The step
   * is chosen by the messages that the model has written since the prompt: two sessions don't disturb each other.
   */
  on(words: string, steps: readonly ScriptStep[]): void;
}

/** What a title request is answered with. */
export const SCRIPTED_TITLE = "A scripted session";

/** Starts the server. A request without a script is answered with a message that says so. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const known = new Map<string, readonly ScriptStep[]>();
  const failures = new Map<string, Map<number, number>>();

  const stepFor = (request: ModelRequest): Step => {
    if (request.title) return { text: SCRIPTED_TITLE };
    const script = findScript(request.body, known);
    if (script === undefined) return { text: "This prompt has no script." };
    const failed = failures.get(script.prompt) ?? new Map<number, number>();
    failures.set(script.prompt, failed);
    return chooseStep(script, request.body, failed);
  };
  const complete = async (incoming: IncomingMessage, response: ServerResponse) => {
    const raw = await textOf(incoming);
    const body = JSON.parse(raw) as ChatRequest;
    const { url: path = "", headers } = incoming;
    const title = isTitleRequest(body);
    const request = { path, headers, body, raw, title, at: performance.now(), abandoned: false };
    requests.push(request);
    const gone = new Promise<void>((done) =>
      response.on("close", () => {
        request.abandoned = !response.writableFinished;
        done();
      })
    );
    await answer(response, stepFor(request), body, requests.length, gone);
  };
  const server = createServer((incoming, response) => {
    if (options.key !== undefined && incoming.headers.authorization !== `Bearer ${options.key}`) {
      incoming.resume();
      return sendError(response, { status: 401 });
    }
    if (incoming.method === "GET") {
      incoming.resume();
      return send(response, 200, { object: "list", data: [{ id: "scripted", object: "model" }] });
    }
    complete(incoming, response).catch((error) =>
      sendError(response, { status: 400, body: JSON.stringify({ error: { message: String(error) } }) })
    );
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(options.port ?? 0, "127.0.0.1", done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    turns: (words = "") =>
      requests.filter(({ title, body }) =>
        !title &&
        body.messages.some((message) => message.role === "user" && messageText(message).includes(words))
      ),
    on: (words, steps) => void known.set(words, steps),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** OpenCode asks for a title in a request of its own, with an instruction that says so and without tools. */
function isTitleRequest({ messages, tools }: ChatRequest): boolean {
  const system = messages.filter(({ role }) => role === "system").map(messageText).join("\n");
  return (tools ?? []).length === 0 && /title generator/i.test(system);
}

async function answer(
  response: ServerResponse,
  step: Step,
  request: ChatRequest,
  number: number,
  gone: Promise<void>,
): Promise<void> {
  if (step.sleep !== undefined) await pause(step.sleep, gone);
  if (response.destroyed) return;
  if ("status" in step) return sendError(response, step);
  const completion = completionOf(step, request, number);
  const whole = !("cut" in step || "silent" in step);
  if (!request.stream && whole) return send(response, 200, wholeAnswer(completion));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const write = (text: string) => new Promise<void>((done) => response.write(text, () => done()));
  const event = (chunk: unknown) => `data: ${JSON.stringify(chunk)}\n\n`;
  await write(streamedChunks(completion).map(event).join(""));
  if ("cut" in step) response.destroy();
  else if ("silent" in step) await gone;
  else response.end(`${streamedEnd(completion).map(event).join("")}data: [DONE]\n\n`);
}

function sendError(
  response: ServerResponse,
  { status, headers, body }: { status: number; headers?: Readonly<Record<string, string>>; body?: string },
): void {
  const text = body ??
    JSON.stringify({ error: { message: ERRORS[status] ?? "The server had an error.", type: "scripted" } });
  const type = text.startsWith("<") ? "text/html" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(text);
}

/** What OpenAI says with a status. */
const ERRORS: Readonly<Record<number, string>> = {
  401: "Incorrect API key provided.",
  429: "Rate limit reached for requests.",
  500: "The server had an error while processing your request.",
};

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: BlobPart[] = [];
  for await (const part of incoming) parts.push(part);
  return await new Blob(parts).text();
}

/** Waits, but not for a client that has gone. */
function pause(ms: number, gone: Promise<void>): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    gone.then(() => {
      clearTimeout(timer);
      done();
    });
  });
}
