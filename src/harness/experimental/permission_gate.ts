import { permissionParts, stricter } from "../../agents/permission.ts";
import type { Agent } from "../../manifest/model.ts";
import type { TurnReport } from "../../sessions/types.ts";

/** How much of what a call touches a question shows, in UTF-16 units. */
const MAX_SUBJECT = 2000;

/** One call that wants to go on. */
export interface GateRequest {
  call: string;
  tool: string;
  args: Record<string, unknown>;
  /** The agents whose rules hold, the caller first: for a subagent its own and the session agent's. */
  agents: readonly Agent[];
  signal: AbortSignal;
}

/** Options of {@link PermissionGate}. */
export interface PermissionGateOptions {
  /** Absolute path of the checkout. */
  root: string;
  ask: TurnReport["ask"];
  mask: (text: string) => string;
  /** What was answered `always` in this session so far; added to. */
  always: string[];
}

/**
 * Lets the calls of a session's turn go on, or not: the stricter of the agents' rules decides, and a person where
 * they say `ask` (specification 4.1, 4.2).
 *
 * Calls ask one after the other, so that an `always` counts for those that wait; when nobody answers one, those that
 * wait are refused too.
 */
export class PermissionGate {
  readonly #options: PermissionGateOptions;
  #queue: Promise<unknown> = Promise.resolve();
  /** How often nobody answered: a call that waits since before the last time is not asked about. */
  #unanswered = 0;

  constructor(options: PermissionGateOptions) {
    this.#options = options;
  }

  /** @returns Why the call is refused, as the model is told; `undefined` when it may go on. */
  check(request: GateRequest): Promise<string | undefined> | string | undefined {
    const { tool, args, agents } = request;
    const parts = agents.map((agent) =>
      permissionParts(agent.permission, tool, args, { root: this.#options.root })
    );
    const denied = parts.findIndex((own) => own.some(({ action }) => action === "deny"));
    if (denied >= 0) {
      const { subject } = parts[denied]!.find(({ action }) => action === "deny")!;
      return `${tool} was refused: the permission rules of agent ${agents[denied]!.name} deny ${
        named(subject)
      }`;
    }
    const actions = parts.flat().map(({ action }) => action);
    if (actions.reduce(stricter, "allow") === "allow") return undefined;
    const subjects = new Set(
      parts.flat().filter(({ action }) => action === "ask").map(({ subject }) => subject),
    );
    const unanswered = this.#unanswered;
    const asked = this.#queue.then(() => this.#ask(request, [...subjects], unanswered));
    this.#queue = asked.catch(() => {});
    return asked;
  }

  async #ask(
    request: GateRequest,
    subjects: readonly string[],
    unanswered: number,
  ): Promise<string | undefined> {
    const { tool, call, args, signal } = request;
    const { ask, always, mask } = this.#options;
    signal.throwIfAborted();
    const open = subjects.filter((subject) => !always.includes(keyOf(tool, subject)));
    if (open.length === 0) return undefined;
    const what = open.map(named).join(", ");
    if (unanswered !== this.#unanswered) return nobody(tool, what);
    // Where nothing is known of what a call touches, a person is shown its arguments.
    const touched = open.map((subject) => subject === "*" ? JSON.stringify(args) : subject).join("\n");
    const text = shown(mask(touched));
    const answer = await ask({ kind: "permission", call, tool, text }, signal);
    switch (answer) {
      case "always":
        always.push(...open.map((subject) => keyOf(tool, subject)));
        return undefined;
      case "once":
        return undefined;
      case null:
        this.#unanswered++;
        return nobody(tool, what);
      default:
        return `${tool} was refused: the user said no to ${what}`;
    }
  }
}

function nobody(tool: string, what: string): string {
  return `${tool} was refused: it needs a permission for ${what}, and nobody answered in time`;
}

/** What a person reads of it: one who answers must see that there is more, and what it ends with. */
function shown(text: string): string {
  if (text.length <= MAX_SUBJECT) return text.toWellFormed();
  const half = MAX_SUBJECT / 2;
  const left = `[… ${text.length - MAX_SUBJECT} characters are left out here …]`;
  return `${text.slice(0, half)}\n${left}\n${text.slice(-half)}`.toWellFormed();
}

function named(subject: string): string {
  return subject === "*" ? "it" : subject.length > 200 ? `${subject.slice(0, 200)}…`.toWellFormed() : subject;
}

/** What an `always` is remembered by. */
function keyOf(tool: string, subject: string): string {
  return `${tool} ${subject}`;
}
