import type { MessageRecord } from "../../sessions/types.ts";
import type { Output } from "../output.ts";
import type { Progress } from "../progress.ts";
import { callLine } from "./call_line.ts";
import { callLines, heading, type LogStyle } from "./session_log.ts";
import { terminalText } from "./terminal_text.ts";

/** What of a message was printed. */
interface Printed {
  text: string;
  calls: Set<string>;
  error?: string | undefined;
}

/** Options of {@link TurnPrinter}. */
export interface TurnPrinterOptions {
  /** Whether stdout is one: control characters are escaped there. */
  terminal: boolean;
  /** As `sessions log` prints it: prompts too, role and time of each message, the whole of each call. */
  log?: boolean;
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
  readonly #log: boolean;
  readonly #printed = new Map<string, Printed>();
  /** The message that was printed last. */
  #last: string | undefined;
  #atLineStart = true;
  #progress: Progress | undefined;
  #shown: string | undefined;

  constructor(
    output: Pick<Output, "write" | "progress" | "color">,
    { terminal, log = false }: TurnPrinterOptions,
  ) {
    this.#output = output;
    this.#terminal = terminal;
    this.#log = log;
  }

  /**
   * Prints what is new in the messages of the turn.
   *
   * @param options.quiet Show nothing as going on: the turn is over, or somebody is being asked.
   */
  update(messages: readonly MessageRecord[], { quiet = false }: { quiet?: boolean } = {}): void {
    for (const message of messages) {
      if (this.#log || message.role === "assistant") this.#message(message);
    }
    if (quiet) {
      this.#endLine();
      return this.#work(undefined);
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

  #message(message: MessageRecord): void {
    const { id, text, tools, error } = message;
    let printed = this.#printed.get(id);
    if (printed === undefined) this.#printed.set(id, printed = { text: "", calls: new Set() });
    if (text !== printed.text) {
      const goesOn = text.startsWith(printed.text);
      // Words that were not what they became in the end are followed by these.
      if (!goesOn) this.#endLine();
      this.#turnTo(message);
      this.#write(goesOn ? text.slice(printed.text.length) : text);
      printed.text = text;
    }
    for (const call of tools) {
      if (call.status === "running" || printed.calls.has(call.call)) continue;
      printed.calls.add(call.call);
      this.#turnTo(message);
      this.#line((this.#log ? callLines(call, this.#style) : [callLine(call, this.#output)]).join("\n"));
    }
    if (this.#log && error !== undefined && error !== printed.error) {
      printed.error = error;
      this.#turnTo(message);
      this.#line(`error: ${terminalText(error, this.#terminal)}`);
    }
  }

  /** What follows is of this message. */
  #turnTo(message: MessageRecord): void {
    if (this.#last === message.id) return;
    this.#endLine();
    if (this.#log) this.#line(`${this.#last === undefined ? "" : "\n"}${heading(message, this.#style)}`);
    this.#last = message.id;
  }

  get #style(): LogStyle {
    return { terminal: this.#terminal, color: this.#output.color };
  }

  #line(text: string): void {
    this.#endLine();
    this.#write(`${text}\n`, true);
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
