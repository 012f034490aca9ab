/**
 * Entry of every tool's worker.
 *
 * The tool is loaded by an `import()` of a name that is known only at run time: the imports of a worker's entry, and
 * those of a literal import of ours, would not be checked against the worker's rights (specification 2.3).
 */
import type { BootMessage } from "./messages.ts";
import { ToolWorker } from "./tool_worker.ts";

addEventListener("message", (event) => {
  if (!(event instanceof MessageEvent)) return;
  const boot: BootMessage = event.data;
  void new ToolWorker(boot).start(boot.lock);
}, { once: true });
