import assert from "node:assert/strict";
import { BeeuniError } from "../errors/error.ts";
import { createLogger } from "../log/logger.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
import { untilAborted } from "../sessions/testing/fake_harness.ts";
import { SessionBench } from "../sessions/testing/session_bench.ts";
import { readDaemonFile } from "./daemon_file.ts";
import { isDaemonRunning } from "./daemon_lock.ts";
import { KEY_FILE } from "./key_file.ts";
import { MemoryHost, type MemoryHostOptions } from "./testing/memory_host.ts";
import { temporaryFolder } from "./testing/temporary_folder.ts";

interface Running {
  daemon: Daemon;
  host: MemoryHost;
  lines: () => Promise<Record<string, unknown>[]>;
  ask: (path: string, init?: RequestInit) => Promise<Response>;
}

async function start(
  stateDir: string,
  hostOptions: MemoryHostOptions = {},
  more: Partial<DaemonOptions> = {},
): Promise<Running> {
  const host = new MemoryHost(hostOptions);
  let text = "";
  const decoder = new TextDecoder();
  const logger = createLogger({
    json: true,
    write: (bytes) => (text += decoder.decode(bytes), Promise.resolve(bytes.length)),
  });
  const daemon = await startDaemon({
    root: stateDir,
    stateDir,
    hostname: "127.0.0.1",
    port: 0,
    version: "1.2.3",
    logger,
    startHost: () => host,
    ...more,
  });
  const key = (await Deno.readTextFile(`${stateDir}/${KEY_FILE}`)).trim();
  return {
    daemon,
    host,
    lines: async () => {
      await logger.flush();
      return text.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
    },
    ask: (path, init = {}) =>
      fetch(`${daemon.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, ...init.headers },
      }),
  };
}

const POST = { method: "POST", body: "{}" };

Deno.test("a daemon says where it is, keeps its key over a restart, and leaves nothing running", async () => {
  await using folder = await temporaryFolder();
  const ports: number[] = [];
  const first = await start(folder.path, {}, {
    startHost: (port) => (ports.push(port), new MemoryHost()),
  });
  assert.match(first.daemon.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.deepEqual(ports, [Number(new URL(first.daemon.url).port)], "the host learns the port");
  assert.deepEqual(await readDaemonFile(folder.path), {
    url: first.daemon.url,
    pid: Deno.pid,
    version: "1.2.3",
  });
  const key = await Deno.readTextFile(`${folder.path}/${KEY_FILE}`);
  assert.equal(
    await (await first.ask("/beeuni/tools/echo", POST)).text(),
    '{"call":"call-1","output":"{}","duration_ms":1}',
  );
  await first.daemon.stop();
  assert.equal(await readDaemonFile(folder.path), undefined);
  assert.equal(await isDaemonRunning(folder.path), false);
  await assert.rejects(first.ask("/beeuni/health"));

  const second = await start(folder.path);
  assert.equal(await Deno.readTextFile(`${folder.path}/${KEY_FILE}`), key);
  await second.daemon.stop();
});

Deno.test("one line is logged per call, also for one that is refused", async () => {
  await using folder = await temporaryFolder();
  const { daemon, ask, lines } = await start(folder.path);
  const body = JSON.stringify({ session: "s", call: "c", agent: "beeuni" });
  await (await ask("/beeuni/tools/echo", { method: "POST", body })).text();
  await (await ask("/beeuni/tools/echo", { method: "POST", body: "[]" })).text();
  await (await ask("/beeuni/tools/echo", { ...POST, headers: { authorization: "" } })).text();
  await daemon.stop();
  const calls = (await lines()).filter((line) => line.message === "call").map(({ time: _, ...line }) => line);
  const common = { level: "info", message: "call", tool: "echo" };
  const none = { call: "", agent: "", session: "", outcome: "refused", queued_ms: 0, run_ms: 0, bytes: 0 };
  assert.deepEqual(calls, [
    {
      ...common,
      call: "c",
      agent: "beeuni",
      session: "s",
      outcome: "completed",
      queued_ms: 0,
      run_ms: 1,
      bytes: 2,
    },
    { ...common, ...none, code: "bad_request" },
    { ...common, ...none, code: "unauthorized" },
  ]);
});

Deno.test("a second daemon, and a port that is taken, are refused; the first goes on", async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  const { daemon, ask } = await start(folder.path);
  await assert.rejects(start(folder.path), { code: "daemon_running" });
  const port = Number(new URL(daemon.url).port);
  await assert.rejects(start(other.path, {}, { port }), {
    code: "port_in_use",
    message: `port ${port} of 127.0.0.1 is in use.`,
  });
  await assert.rejects(start(other.path, {}, { hostname: "192.0.2.1" }), {
    code: "usage",
    message: "the daemon can't listen on 192.0.2.1, port 0: it is no address of this machine.",
  });
  assert.equal(await isDaemonRunning(other.path), false);
  assert.equal(await readDaemonFile(other.path), undefined);
  assert.equal((await (await ask("/beeuni/health")).json()).status, "ready");
  await daemon.stop();
});

Deno.test("a host that does not start leaves nothing behind", async () => {
  await using folder = await temporaryFolder();
  const failing = () => Promise.reject(new BeeuniError("env_file", "the env file is gone."));
  await assert.rejects(start(folder.path, {}, { startHost: failing }), { code: "env_file" });
  assert.equal(await isDaemonRunning(folder.path), false);
  await (await start(folder.path)).daemon.stop();
});

Deno.test("it listens while the host is still being made", async () => {
  await using folder = await temporaryFolder();
  const gate = Promise.withResolvers<MemoryHost>();
  let port = 0;
  const starting = start(folder.path, {}, { startHost: (given) => (port = given, gate.promise) });
  while (port === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const health = fetch(`http://127.0.0.1:${port}/beeuni/health`);
  gate.resolve(new MemoryHost());
  assert.equal((await (await health).json()).status, "ready");
  await (await starting).daemon.stop();
});

Deno.test("a stop lets a running call finish, refuses new ones and ends the event streams", async () => {
  await using folder = await temporaryFolder();
  const gate = Promise.withResolvers<string>();
  const { daemon, ask, host } = await start(folder.path, {
    tools: { waits: () => gate.promise, echo: () => "" },
  });
  const events = await ask("/beeuni/events");
  const running = ask("/beeuni/tools/waits", POST);
  while (host.stats().inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const stopped = daemon.stop();
  const refused = await ask("/beeuni/tools/echo", POST);
  assert.deepEqual([refused.status, (await refused.json()).code], [503, "stopping"]);
  assert.equal((await (await ask("/beeuni/health")).json()).status, "stopping");
  gate.resolve("done");
  assert.equal((await (await running).json()).output, "done");
  assert.match(await events.text(), /event: call_end/);
  await stopped;
  assert.equal(await isDaemonRunning(folder.path), false);
});

Deno.test("a stop cancels what does not finish in time", async () => {
  await using folder = await temporaryFolder();
  const { daemon, ask, host } = await start(folder.path, { tools: { waits: () => new Promise(() => {}) } });
  const running = ask("/beeuni/tools/waits", POST);
  while (host.stats().inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await daemon.stop(20);
  assert.equal((await running).status, 499);
  await (await running).body?.cancel();
});

/** The sessions of a bench as a daemon opens them. */
function sessionsOf(bench: SessionBench): Pick<DaemonOptions, "openSessions"> {
  return {
    openSessions: () =>
      Promise.resolve({ sessions: bench.service, [Symbol.asyncDispose]: () => Promise.resolve() }),
  };
}

Deno.test("a stop lets a running turn finish, and refuses new ones", async () => {
  await using folder = await temporaryFolder();
  await using bench = new SessionBench();
  const { daemon, ask, lines } = await start(folder.path, {}, sessionsOf(bench));
  const gate = Promise.withResolvers<void>();
  bench.harness.play = () => gate.promise;
  const made = await ask("/beeuni/sessions", { method: "POST", body: '{"prompt":"x"}' });
  const { session: { id } } = await made.json();
  const events = await ask(`/beeuni/sessions/${id}/events`);
  const stopped = daemon.stop();
  const refused = await ask(`/beeuni/sessions`, { method: "POST", body: '{"prompt":"y"}' });
  assert.deepEqual([refused.status, (await refused.json()).code], [503, "stopping"]);
  gate.resolve();
  await stopped;
  assert.match(await events.text(), /"type":"turn_end","state":"completed"/);
  assert.equal(bench.service.get(id).state, "completed");
  const { time: _, ms: __, ...line } = (await lines()).find(({ message }) => message === "turn") ?? {};
  assert.deepEqual(line, {
    level: "info",
    message: "turn",
    session: id,
    agent: "beeuni",
    harness: "standard",
    outcome: "completed",
  });
});

Deno.test("a stop interrupts the turns that do not finish in time; a second one at once", async () => {
  for (const stop of [(daemon: Daemon) => daemon.stop(20), (daemon: Daemon) => daemon.stopNow()]) {
    await using folder = await temporaryFolder();
    await using bench = new SessionBench();
    const { daemon, ask } = await start(folder.path, {}, sessionsOf(bench));
    bench.harness.play = untilAborted;
    const made = await ask("/beeuni/sessions", { method: "POST", body: '{"prompt":"x"}' });
    const { session: { id } } = await made.json();
    await stop(daemon);
    assert.equal(bench.service.get(id).state, "interrupted");
  }
});

Deno.test("a daemon is idle without a call, a turn and a follower", async () => {
  await using folder = await temporaryFolder();
  await using bench = new SessionBench();
  const idle = Promise.withResolvers<void>();
  let isIdle = false;
  const call = Promise.withResolvers<string>();
  const { daemon, ask, host } = await start(folder.path, { tools: { waits: () => call.promise } }, {
    ...sessionsOf(bench),
    idle: { ms: 100, onIdle: () => (isIdle = true, idle.resolve()) },
  });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 250));
  host.state = "loading";
  await pause();
  assert.equal(isIdle, false, "tools are loaded");
  const running = ask("/beeuni/tools/waits", POST);
  while (host.stats().inFlight === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  host.state = "ready";
  await pause();
  assert.equal(isIdle, false, "a call runs");
  const turn = Promise.withResolvers<void>();
  bench.harness.play = () => turn.promise;
  const made = await ask("/beeuni/sessions", { method: "POST", body: '{"prompt":"x"}' });
  const { session: { id } } = await made.json();
  call.resolve("");
  await (await running).text();
  await pause();
  assert.equal(isIdle, false, "a turn runs");
  const follower = await ask(`/beeuni/sessions/${id}/events`);
  turn.resolve();
  await pause();
  assert.equal(isIdle, false, "somebody follows");
  await follower.body!.cancel();
  await idle.promise;
  await daemon.stop();
});

Deno.test("clients that send half a request, or read nothing, hold up neither answers nor the stop", async () => {
  await using folder = await temporaryFolder();
  const tools = { big: () => "x".repeat(4_000_000), echo: () => "" };
  const { daemon, ask } = await start(folder.path, { tools });
  const port = Number(new URL(daemon.url).port);
  const key = (await Deno.readTextFile(`${folder.path}/${KEY_FILE}`)).trim();
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`;
  const requests = [
    "",
    "POST /beeuni/tools/echo HTT",
    `POST /beeuni/tools/echo HTTP/1.1\r\n${head}`,
    `POST /beeuni/tools/echo HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{`,
    `POST /beeuni/tools/echo HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"ar`,
    `POST /beeuni/tools/big HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`,
    `GET /beeuni/events HTTP/1.1\r\n${head}\r\n`,
  ];
  const sockets: Deno.TcpConn[] = [];
  for (let round = 0; round < 20; round++) {
    for (const request of requests) {
      const socket = await Deno.connect({ hostname: "127.0.0.1", port });
      await socket.write(new TextEncoder().encode(request));
      sockets.push(socket);
    }
  }
  assert.equal((await (await ask("/beeuni/tools/echo", POST)).json()).output, "");
  await daemon.stop(0);
  for (const socket of sockets) socket.close();
  // The connections are gone with their clients: nothing may be left of them.
  await new Promise((resolve) => setTimeout(resolve, 50));
});
