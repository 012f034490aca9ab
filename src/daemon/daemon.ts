import type { HostEvent, ToolHost } from "../host/types.ts";
import type { Logger } from "../log/logger.ts";
import { createApp, type RefusedCall } from "./app.ts";
import { logCall } from "./call_log.ts";
import { removeDaemonFile, writeDaemonFile } from "./daemon_file.ts";
import { lockDaemon } from "./daemon_lock.ts";
import { Events } from "./events.ts";
import { EventReaders } from "./event_readers.ts";
import { type IdleWatch, idleWatch } from "./idle_watch.ts";
import { daemonKey } from "./key_file.ts";
import { LazySessions, type OpenedSessions } from "./lazy_sessions.ts";
import { Metrics } from "./metrics.ts";
import { pluginGate, type PluginRoutes } from "./plugin_gate.ts";
import { publicEvent } from "./public_event.ts";
import { hostRule } from "./same_machine.ts";
import { listen, type Server } from "./server.ts";
import { prepareStateFolder } from "./state_folder.ts";
import { logTurn } from "./turn_log.ts";

/** What a daemon is made of. */
export interface DaemonOptions {
  /** Absolute path of the project root. */
  root: string;
  /** Absolute path of the project's state directory. */
  stateDir: string;
  /** `--host`. */
  hostname: string;
  /** `--port`; 0 = any free one. */
  port: number;
  version: string;
  logger: Logger;
  /** Starts the tool host of the project; `port` is the daemon's own, which tools can't reach. */
  startHost: (port: number) => ToolHost | Promise<ToolHost>;
  /** Opens the project's sessions, when they are first needed; absent = this daemon has none. */
  openSessions?: (daemon: { host: ToolHost; url: string }) => Promise<OpenedSessions>;
  /** What the keys of harness plugins open; asked once, when the tool host runs. Absent = there are none. */
  plugin?: (daemon: { host: ToolHost }) => PluginRoutes;
  /** Told once when no call, no turn and no follower of a session was there for `ms` milliseconds. */
  idle?: { ms: number; onIdle: () => void };
}

/** A daemon that runs. */
export interface Daemon {
  /** `http://<host>:<port>`. */
  readonly url: string;
  /**
   * Refuses new calls and turns, lets running ones finish for 5 s, then takes the stop ladder (specification 2.7); turns
   * are aborted and are `interrupted`.
   *
   * @param graceMs Milliseconds for running calls and turns; default 5,000.
   */
  stop(graceMs?: number): Promise<void>;
  /** Stops at once, also in the midst of {@link stop}; settles with it. */
  stopNow(): Promise<void>;
}

/** How long running calls may go on when the daemon is told to stop, in milliseconds (specification 2.7). */
const GRACE_MS = 5000;

/** How long answers may take to reach their clients once every call is over, in milliseconds. */
const DELIVERY_MS = 1000;

/**
 * Starts the daemon of a project: listens at once, loads the tools behind that, and says in the state directory
 * where it is.
 *
 * @throws {BeeuniError} `daemon_running`, `port_in_use`, `usage`, `unwritable`, and what `startHost` throws.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { root, stateDir, hostname, port, version, logger } = options;
  await using started = new AsyncDisposableStack();
  await prepareStateFolder(stateDir);
  started.use(await lockDaemon(stateDir));
  const { key, replaced } = await daemonKey(stateDir);
  if (replaced !== undefined) logger.warn("the daemon has a new key", { because: replaced });

  const ready = Promise.withResolvers<(request: Request) => Response | Promise<Response>>();
  ready.promise.catch(() => {});
  let answer: (request: Request) => Response | Promise<Response> = async (request) =>
    (await ready.promise)(request);
  const server = listen({ hostname, port }, (request) => answer(request));
  started.defer(() => server.close(0));

  const host = await options.startHost(server.port);
  started.use(host);
  const events = new Events();
  const metrics = new Metrics();
  const followers = new EventReaders();
  const { openSessions, idle } = options;
  let watch: IdleWatch | undefined;
  const sessions = openSessions && new LazySessions(async () => {
    const opened = await openSessions({ host, url: server.url });
    opened.sessions.watch((turn) => {
      metrics.countTurn(turn);
      logTurn(logger, turn);
    });
    return opened;
  });
  started.defer(() => sessions?.dispose());
  const record = recorder(host, events, metrics, logger);
  started.defer(host.subscribe((event) => {
    if (event.type === "call_end") watch?.touch();
    record(event);
  }));
  const plugin = options.plugin?.({ host });
  const app = createApp({
    failed: () => plugin?.failed() ?? [],
    host,
    root,
    key,
    hostname,
    version,
    logger,
    events,
    metrics,
    followers,
    sessions: sessions && (() => {
      watch?.touch();
      return sessions.get();
    }),
    onRefused: (call) => record(refusedCall(call)),
  });
  answer = pluginGate({ app: (request) => app.fetch(request), key, hostRule: hostRule(hostname), plugin });
  ready.resolve(answer);

  await writeDaemonFile(stateDir, { url: server.url, pid: Deno.pid, version });
  started.defer(() => removeDaemonFile(stateDir, Deno.pid));
  if (idle !== undefined) {
    const isBusy = () => {
      if (host.state === "loading") return true;
      const { inFlight, queued } = host.stats();
      return inFlight + queued + (sessions?.opened?.sessions.running ?? 0) + followers.stats.readers > 0;
    };
    watch = started.use(idleWatch({ idleMs: idle.ms, isBusy, onIdle: idle.onIdle }));
  }
  return running({ server, host, sessions, readers: [events, followers] }, started.move());
}

/** What a daemon that stops has to end. */
interface Parts {
  server: Server;
  host: ToolHost;
  sessions: LazySessions<OpenedSessions> | undefined;
  readers: readonly { close(): void }[];
}

function running({ server, host, sessions, readers }: Parts, parts: AsyncDisposableStack): Daemon {
  let stopping: Promise<void> | undefined;
  async function stop(graceMs: number): Promise<void> {
    await using _parts = parts;
    await Promise.all([host.stop({ graceMs }), sessions?.stop(graceMs)]);
    for (const reader of readers) reader.close();
    await server.close(DELIVERY_MS);
  }
  return {
    url: server.url,
    stop: (graceMs = GRACE_MS) => stopping ??= stop(graceMs),
    stopNow() {
      stopping ??= stop(0);
      // The second request cuts short what the host still waits for.
      void host.stop({ graceMs: 0 });
      void sessions?.stop(0);
      return stopping;
    },
  };
}

/** Writes down what happens in the host: for readers of the events, in the metrics and in the log. */
function recorder(
  host: ToolHost,
  events: Events,
  metrics: Metrics,
  logger: Logger,
): (event: HostEvent) => void {
  function isKnown(tool: string): boolean {
    const { tools, failed } = host.catalogue();
    return [...tools, ...failed].some(({ name }) => name === tool);
  }
  return (event) => {
    if (event.type === "call_end") {
      // Only a refused call can be one of a tool that is not there.
      metrics.count(event, event.outcome !== "refused" || isKnown(event.tool));
      logCall(logger, event);
    }
    events.publish(() => publicEvent(event));
  };
}

function refusedCall(call: RefusedCall): HostEvent {
  return { type: "call_end", ...call, outcome: "refused", queuedMs: 0, runMs: 0, bytes: 0 };
}
