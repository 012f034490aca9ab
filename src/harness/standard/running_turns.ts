import { isRecord } from "../../host/is_record.ts";
import type { OpenCodeClient } from "./opencode_client.ts";
import { type OpenCodePart, readMessage, readPart } from "./opencode_event.ts";
import type { AllowedCalls } from "./allowed_calls.ts";
import type { TurnRecord } from "./turn_record.ts";
import type { PluginCall, PluginCaller } from "./types.ts";

/** How deep subagents start subagents: OpenCode lets them do it as often as their lists allow. */
const MAX_DEPTH = 8;

/** An event may come after the call that it tells of: how often OpenCode is asked, and how long it is between. */
const TRIES = 3;
const BETWEEN_MS = 50;

/** A turn that runs. */
export interface RunningTurn {
  /** Beeuni's id of the session. */
  session: string;
  agent: string;
  record: TurnRecord;
  allowed: AllowedCalls;
  client: OpenCodeClient;
}

/** The turns that run, by OpenCode's id of their session. */
export class TurnTable {
  readonly #turns = new Map<string, RunningTurn>();

  get size(): number {
    return this.#turns.size;
  }

  add(id: string, turn: RunningTurn): void {
    this.#turns.set(id, turn);
  }

  remove(id: string): void {
    this.#turns.delete(id);
  }

  /** The turn that made a call, as OpenCode itself has it: the call is there, made by this agent with this tool. */
  async callerOf(call: PluginCall): Promise<PluginCaller | undefined> {
    if (!/^ses_\w+$/.test(call.session) || call.call === "") return undefined;
    const turn = this.#find(call.session) ?? await this.#findParent(call.session);
    if (turn === undefined) return undefined;
    if (!this.#knows(turn, call) && !await this.#ask(turn, call)) return undefined;
    if (!mayAct(turn, call)) return undefined;
    // It may have ended meanwhile.
    if (![...this.#turns.values()].includes(turn)) return undefined;
    return { session: turn.session, agent: call.agent, sessionAgent: turn.agent };
  }

  isAllowed({ session, call }: PluginCall, args: unknown): boolean {
    return this.#find(session)?.allowed.has(session, call, args) ?? false;
  }

  callEnded(call: PluginCall, end: Parameters<TurnRecord["callEnded"]>[2]): void {
    this.#find(call.session)?.record.callEnded(call.session, call.call, end);
  }

  #find(session: string): RunningTurn | undefined {
    return [...this.#turns.values()].find(({ record }) => record.owns(session));
  }

  /** A subagent's session of which no event has come yet. */
  async #findParent(session: string): Promise<RunningTurn | undefined> {
    const [any] = this.#turns.values();
    for (let id = session, depth = 0; any !== undefined && depth < MAX_DEPTH; depth++) {
      const info = await any.client.request("GET", `/session/${id}`, { timeoutMs: 5_000 }).catch(() =>
        undefined
      );
      if (!isRecord(info) || typeof info.parentID !== "string" || !/^ses_\w+$/.test(info.parentID)) {
        return undefined;
      }
      id = info.parentID;
      const turn = this.#find(id);
      if (turn !== undefined) {
        turn.record.take({ type: "session", id: session, parent: id });
        return turn;
      }
    }
    return undefined;
  }

  #knows({ record }: RunningTurn, { session, call, agent, tool }: PluginCall): boolean {
    const known = record.call(session, call);
    return known !== undefined && !known.ended && known.agent === agent && known.tool === tool;
  }

  async #ask({ client }: RunningTurn, call: PluginCall): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
      const messages = await client.request("GET", `/session/${call.session}/message?limit=5`, {
        timeoutMs: 5_000,
      })
        .catch(() => undefined);
      for (const message of Array.isArray(messages) ? messages : []) {
        if (!isRecord(message) || !Array.isArray(message.parts)) continue;
        const { role, agent } = readMessage(message.info);
        if (
          role === "assistant" && agent === call.agent &&
          message.parts.map(readPart).some((part) => runs(part, call))
        ) {
          return true;
        }
      }
    }
    return false;
  }
}

/**
 * Whether the agent acts for this turn: in its own session the turn's agent alone, below it one that a running `task`
 * started, by an agent of which the same is true. Whoever has the password of OpenCode's server can have any agent work
 * in any session.
 */
function mayAct(
  turn: RunningTurn,
  { session, agent }: Pick<PluginCall, "session" | "agent">,
  depth = 0,
): boolean {
  if (session === turn.record.sessions[0]) return agent === turn.agent;
  if (depth === MAX_DEPTH) return false;
  return turn.record.tasksOf(agent).some((task) => task.session !== session && mayAct(turn, task, depth + 1));
}

function runs(part: OpenCodePart, { call, tool }: PluginCall): boolean {
  return part.type === "tool" && part.callID === call && part.tool === tool &&
    (part.state.status === "pending" || part.state.status === "running");
}
