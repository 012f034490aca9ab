import { escapeControls } from "./escape_controls.ts";

/** How much a line matters, least first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** One of {@link LOG_LEVELS}. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Values that go with a log line; `undefined` ones are left out. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where everything that is not a result goes (style: one owner of stdout, the rest through the logger). */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Settles when every line so far is written or given up. */
  flush(): Promise<void>;
}

/**
 * How long a line that is no warning waits for others, in milliseconds. Each write is a trip to another thread: one per
 * call cost the daemon as much as the call's own way through it.
 */
const GATHER_MS = 10;

/** From this level on a line does not wait. */
const URGENT = LOG_LEVELS.indexOf("warn");

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** JSON lines in place of text. */
  json?: boolean;
  /** Lines below this level are dropped; default `info`. */
  level?: LogLevel;
  /** Writes bytes and answers how many it took; default stderr. */
  write?: (bytes: Uint8Array) => Promise<number>;
  /** The time of a line; default now. */
  now?: () => Date;
  /** Unwritten text kept in memory, in UTF-16 units; what comes on top is dropped and counted. Default 8 MiB. */
  maxPending?: number;
}

/**
 * A logger that writes one line per message, as text or as JSON.
 *
 * It never blocks and never throws: a reader that is slow or gone must not stop the daemon, so lines wait in memory
 * up to a bound, and what comes on top is counted and reported in one line later. Lines of some milliseconds are one
 * write; a warning or an error, and what stands before it, does not wait.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { json = false, level = "info", maxPending = 8 * 1024 * 1024 } = options;
  const write = options.write ?? ((bytes: Uint8Array) => Deno.stderr.write(bytes));
  const now = options.now ?? (() => new Date());
  const lowest = LOG_LEVELS.indexOf(level);
  const encoder = new TextEncoder();
  const format = json ? jsonLine : textLine;
  let pending = "";
  let dropped = 0;
  let broken = false;
  let writing: Promise<void> | undefined;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  /** Whether what is pending must not wait for more. */
  let urgent = false;

  async function drain(): Promise<void> {
    // One turn of the event loop first, so that the lines of one burst become one write.
    await undefined;
    do {
      urgent = false;
      let bytes = encoder.encode(pending);
      pending = "";
      try {
        while (bytes.length > 0) bytes = bytes.subarray(await write(bytes));
      } catch {
        // The reader is gone (a closed pipe): there is nobody left to tell.
        broken = true;
      }
      if (dropped > 0) {
        pending += format("warn", "log lines were dropped because nobody read them", { dropped }, now());
        dropped = 0;
        urgent = true;
      }
    } while (urgent && !broken);
    writing = undefined;
    if (pending !== "") gather();
  }

  /** Begins to write, unless that is under way: then it goes on with what is pending. */
  function start(): void {
    clearTimeout(gathering);
    gathering = undefined;
    urgent = true;
    writing ??= drain();
  }

  function gather(): void {
    if (!broken && writing === undefined) gathering ??= setTimeout(start, GATHER_MS);
  }

  function log(level: LogLevel, message: string, fields: LogFields = {}): void {
    const rank = LOG_LEVELS.indexOf(level);
    if (rank < lowest || broken) return;
    if (pending.length > maxPending) {
      dropped++;
      return;
    }
    pending += format(level, message, fields, now());
    if (rank >= URGENT) start();
    else gather();
  }

  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields) => log("error", message, fields),
    flush: async () => {
      while (!broken && (pending !== "" || writing !== undefined)) {
        start();
        await writing;
      }
    },
  };
}

/** `{"time":…,"level":…,"message":…,…fields}`. */
function jsonLine(level: LogLevel, message: string, fields: LogFields, time: Date): string {
  return JSON.stringify({ time: time.toISOString(), level, message, ...fields }) + "\n";
}

/** `<time> <level> <message> <key>=<value> …`, on one line, safe to print on a terminal. */
function textLine(level: LogLevel, message: string, fields: LogFields, time: Date): string {
  let line = `${time.toISOString()} ${PADDED[level]} ${escapeControls(message)}`;
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) line += ` ${key}=${fieldText(value)}`;
  }
  return line + "\n";
}

const PADDED: Readonly<Record<LogLevel, string>> = {
  debug: "debug",
  info: "info ",
  warn: "warn ",
  error: "error",
};

/** A value as it stands behind `key=`: bare when it is one plain word or a number, else JSON. */
function fieldText(value: unknown): string {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string" && /^[\w./:@+-]+$/.test(value)) return value;
  if (value === "") return '""';
  return escapeControls(JSON.stringify(value) ?? String(value));
}
