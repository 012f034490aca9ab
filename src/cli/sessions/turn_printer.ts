import type { MessageRecord } from "../../sessions/types.ts";
import type { Output } from "../output.ts";
import type { Progress } from "../progress.ts";
import { callLine } from "./call_line.ts";
import { terminalText } from "./terminal_text.ts";

/** What of a message was printed. */
interface Printed {
  text: string;
  calls: Set<string>;
}

/**
 * Prints the answer of a turn as it comes: its text, and a line per tool call once that is over (specification 4.4).
 *
 * It is given all messages each time and prints what is new, so it does not matter whether that came as a change or
 * with a new beginning after the connection was lost.
 */
export class TurnPrinter implements Disposable {
  readonly #output: Pick<Output, "write" | "progress" | "color">;
  readonly #terminal: boolean;
  readonly #printed = new Map<string, Printed>();
  #last: string | undefined;
  #atLineStart = true;
  #progress: Progress | undefined;
  #shown: string | undefined;

  /** @param terminal Whether stdout is one: control characters are escaped there. */
  constructor(output: Pick<Output, "write" | "progress" | "color">, terminal: boolean) {
    this.#output = output;
    this.#terminal = terminal;
  }

  /** Prints what is new in the messages of the turn. */
  update(messages: readonly MessageRecord[]): void {
    for (const message of messages) {
      if (message.role === "assistant") this.#message(message);
    }
    const running = messages.flatMap(({ tools }) => tools).find(({ status }) => status === "running");
    if (running !== undefined) {
      this.#endLine();
      this.#work(`${terminalText(running.tool, true)} runs`);
    } else if (this.#atLineStart) {
      this.#work("the agent is at work");
    }
  }

  /** Ends the line that is being written, and shows nothing any more. */
  [Symbol.dispose](): void {
    this.#endLine();
    this.#work(undefined);
  }

  #message({ id, text, tools }: MessageRecord): void {
    let printed = this.#printed.get(id);
    if (printed === undefined) this.#printed.set(id, printed = { text: "", calls: new Set() });
    if (text !== printed.text) {
      if (this.#last !== id || !text.startsWith(printed.text)) {
        // Another message, or words that were not what they became in the end.
        this.#endLine();
        this.#write(text.startsWith(printed.text) ? text.slice(printed.text.length) : text);
      } else {
        this.#write(text.slice(printed.text.length));
      }
      printed.text = text;
      this.#last = id;
    }
    for (const call of tools) {
      if (call.status === "running" || printed.calls.has(call.call)) continue;
      printed.calls.add(call.call);
      this.#endLine();
      this.#write(`${callLine(call, this.#output)}\n`, true);
    }
  }

  #endLine(): void {
    if (!this.#atLineStart) this.#write("\n");
  }

  #write(text: string, ours = false): void {
    if (text === "") return;
    this.#work(undefined);
    this.#output.write(ours ? text : terminalText(text, this.#terminal));
    this.#atLineStart = text.endsWith("\n");
  }

  /** Shows that `what` goes on. */
  #work(what: string | undefined): void {
    if (what === this.#shown) return;
    this.#progress?.[Symbol.dispose]();
    this.#progress = what === undefined ? undefined : this.#output.progress(what);
    this.#shown = what;
  }
}
