/**
 * Entry of the worker that carries frames between the daemon and the tools. It owns the socket and a port to every
 * tool's worker and never waits for anything else, so an abort is through at once while the main thread makes a worker
 * or writes a file.
 */
import { encodeFrame } from "../protocol.ts";
import { FrameSplitter } from "../frame_splitter.ts";
import { CallCarrier } from "./call_carrier.ts";
import { FrameWriter } from "./frame_writer.ts";
import type { ToCarrier, ToMain } from "./messages.ts";

/** Bytes read from the socket at a time. */
const READ_BYTES = 64 * 1024;

addEventListener("message", (event) => {
  if (event instanceof MessageEvent) void carry(event.data);
}, { once: true });

/** Connects to the daemon and serves it until it is gone. */
async function carry({ socket, port }: { socket: string; port: MessagePort }): Promise<void> {
  const toMain = (message: ToMain, transfer?: Transferable[]) => port.postMessage(message, transfer ?? []);
  const exit = () => toMain({ kind: "exit" });
  try {
    using connection = await Deno.connect({ transport: "unix", path: socket });
    const writer = new FrameWriter(connection, exit);
    const carrier = new CallCarrier({ toDaemon: (frame) => writer.send(frame), toMain });
    port.onmessage = (event: MessageEvent<ToCarrier>) => carrier.fromMain(event.data);
    writer.send(encodeFrame({ kind: "hello", id: 0, body: {} }));
    const splitter = new FrameSplitter(Infinity);
    const buffer = new Uint8Array(READ_BYTES);
    while (true) {
      const count = await connection.read(buffer);
      if (count === null) break;
      for (const line of splitter.push(buffer.subarray(0, count))) carrier.fromDaemon(line);
    }
  } finally {
    exit();
  }
}
