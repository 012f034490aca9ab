/**
 * Entry of a runner process: makes and ends the tools' workers and writes whole outputs to files. Both may block this
 * thread; frames are carried by another one (see `carrier.ts`).
 *
 * Argument: path of the daemon's unix socket. The process ends when that is closed.
 */
import type { WorkerSpec } from "../protocol.ts";
import type { BootMessage, ToCarrier, ToMain } from "./messages.ts";
import { sentenceOf } from "./sentence.ts";
import { SpareWorker } from "./spare_worker.ts";
import { SpillWriter } from "./spill_writer.ts";
import { processWorkerOptions, workerOptions } from "./worker_options.ts";

/** Exit code when the runner itself fails. */
const EXIT_INTERNAL = 70;

const socket = Deno.args[0] ?? Deno.exit(EXIT_INTERNAL);
// Ctrl-C in a terminal reaches every process of the group; what happens to the calls is for the daemon to say.
Deno.addSignalListener("SIGINT", () => {});

const workers = new Map<number, Worker>();
const options = new Map<number, ReturnType<typeof workerOptions>>();
/** Outputs whose end has not come yet, by call. */
const spills = new Map<number, SpillWriter>();
const spare = new SpareWorker((options: ReturnType<typeof workerOptions>, failed) => {
  const worker = new Worker(entry("bootstrap"), options);
  worker.onerror = (event) => {
    event.preventDefault();
    failed();
  };
  return worker;
});
const { port1: carrier, port2 } = new MessageChannel();

carrier.onmessage = (event: MessageEvent<ToMain>) => {
  const message = event.data;
  switch (message.kind) {
    case "create":
      return create(message);
    case "ready": {
      const rights = options.get(message.id);
      return rights === undefined ? undefined : spare.prepare(rights);
    }
    case "terminate":
      workers.get(message.id)?.terminate();
      workers.delete(message.id);
      options.delete(message.id);
      return;
    case "spill_piece": {
      const { id, folder, tool, bytes } = message;
      const spill = spills.get(id) ?? new SpillWriter(folder, tool);
      spills.set(id, spill);
      spill.write(bytes);
      const { buffer } = bytes;
      return toCarrier({ kind: "piece_written", id, buffer }, [buffer]);
    }
    case "spill": {
      const { id, folder, tool, output } = message;
      const spill = spills.get(id) ?? new SpillWriter(folder, tool);
      spills.delete(id);
      return toCarrier({ kind: "spilled", id, ...spill.finish(output) });
    }
    case "spill_drop":
      spills.get(message.id)?.drop();
      spills.delete(message.id);
      return;
    case "exit":
      return Deno.exit(0);
  }
};

const carrierThread = new Worker(entry("carrier"), processWorkerOptions("carrier"));
carrierThread.onerror = () => Deno.exit(EXIT_INTERNAL);
carrierThread.postMessage({ socket, port: port2 }, [port2]);

/** A file beside this one: TypeScript in a checkout, JavaScript in the executable. */
function entry(name: string): string {
  return import.meta.resolve(`./${name}.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`);
}

function create({ id, spec, port, lock, aborts }: Extract<ToMain, { kind: "create" }>): void {
  const failed = (error: unknown) =>
    toCarrier({ kind: "failed", id, reason: sentenceOf(error, "its worker") });
  try {
    const rights = workerOptions(JSON.parse(spec) as WorkerSpec);
    const worker = spare.take(rights) ?? new Worker(entry("bootstrap"), rights);
    worker.onerror = (event) => {
      event.preventDefault();
      failed(event.message);
    };
    workers.set(id, worker);
    options.set(id, rights);
    const boot: BootMessage = { spec, port, lock, aborts };
    worker.postMessage(boot, [port]);
  } catch (error) {
    failed(error);
  }
}

function toCarrier(message: ToCarrier, transfer: Transferable[] = []): void {
  carrier.postMessage(message, transfer);
}
