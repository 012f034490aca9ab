import { Console } from "node:console";
import process from "node:process";
import { objectDefineProperty, uncurryThis } from "./primordials.ts";
import type { LogStream } from "./tool_log.ts";

/** Takes what a tool prints. */
export type WriteLog = (stream: LogStream, text: string) => void;

/**
 * Has everything that tool code prints taken by `write`: `console`, `Deno.stdout` and `Deno.stderr` (sync, async, as
 * a stream), `process.stdout` and `process.stderr`. Nothing of it reaches the process's own streams.
 */
export function captureOutput(write: WriteLog): void {
  captureConsole(write);
  const streams = ["stdout", "stderr"] as const;
  for (const name of streams) {
    const put = byteWriter(name, write);
    replace(Deno, name, denoStream(put));
    lazily(process, name, () => nodeStream(name, put));
  }
}

/** Node's console over our log, its methods put on the one console object that everybody has. */
function captureConsole(write: WriteLog): void {
  const sink = Object.assign(Object.create(null), {
    write: (text: string) => {
      write("console", text);
      return true;
    },
    on() {},
    once() {},
    removeListener() {},
    listenerCount: () => 0,
  });
  const ours = new Console({ stdout: sink, stderr: sink, ignoreErrors: true, colorMode: false });
  for (const [key, method] of Object.entries(ours)) {
    if (typeof method === "function") replace(console, key, method);
  }
  replace(console, "Console", Console);
}

type PutBytes = (bytes: Uint8Array) => number;

/** Text of the bytes, also when a character is cut between two writes. */
function byteWriter(name: LogStream, write: WriteLog): PutBytes {
  const decoder = new TextDecoder();
  const decode = uncurryThis<TextDecoder, [bytes: Uint8Array, options: { stream: boolean }], string>(
    TextDecoder.prototype.decode,
  );
  return (bytes) => {
    write(name, decode(decoder, bytes, { stream: true }));
    return bytes.byteLength;
  };
}

/** What `Deno.stdout` offers. */
function denoStream(put: PutBytes): object {
  const stream = {
    writeSync: put,
    // deno-lint-ignore require-await -- what it throws is to be a rejection
    write: async (bytes: Uint8Array) => put(bytes),
    isTerminal: () => false,
    close() {},
  };
  lazily(stream, "writable", () =>
    new WritableStream<Uint8Array>({
      write(chunk) {
        put(chunk);
      },
    }));
  return stream;
}

/** What `process.stdout` offers when it is no terminal. */
function nodeStream(name: "stdout" | "stderr", put: PutBytes): object {
  const { Writable } = getBuiltinModule("node:stream");
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding: string, done: () => void) {
      put(chunk);
      done();
    },
  });
  const write = stream.write.bind(stream);
  // As in Node, it can't be closed: a package that ends it must not end it for the next call.
  return Object.assign(stream, {
    fd: name === "stdout" ? 1 : 2,
    end(...args: Parameters<typeof write>) {
      const done = args.find((arg) => typeof arg === "function");
      if (typeof args[0] === "string" || ArrayBuffer.isView(args[0])) write(args[0], () => done?.(null));
      else done?.(null);
      return stream;
    },
    destroy: () => stream,
    destroySoon() {},
  });
}

const getBuiltinModule = process.getBuiltinModule;

function replace(target: object, key: string, value: unknown): void {
  objectDefineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A property that is made at its first use: a worker that does not use it does not pay for it. */
function lazily(target: object, key: string, make: () => unknown): void {
  objectDefineProperty(target, key, {
    get() {
      const value = make();
      replace(target, key, value);
      return value;
    },
    set: (value) => replace(target, key, value),
    enumerable: true,
    configurable: true,
  });
}
