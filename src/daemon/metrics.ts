import type { Catalogue, HostEvent, HostStats } from "../host/types.ts";
import type { TurnEnded } from "../sessions/types.ts";
import { histogram, type HistogramCount, metricFamily, type Sample } from "./prometheus.ts";

/** Upper bounds of the latency histogram, in seconds: a warm call takes a millisecond, the longest one an hour. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 600];

/** Stands for every tool that does not exist, so that a client can't make us count names without end. */
const UNKNOWN_TOOL = "(unknown)";

/** What the metrics page shows beside what was counted. */
export interface MetricsNow {
  stats: HostStats;
  catalogue: Catalogue;
  events: { readers: number; dropped: number };
  followers: { readers: number; dropped: number };
}

/** Counts calls (specification 2.7) and turns, and writes the metrics page. */
export class Metrics {
  readonly #calls = new Map<string, Map<string, number>>();
  readonly #durations = new Map<string, HistogramCount>();
  readonly #turns = new Map<string, Map<string, number>>();

  /**
   * Counts a call that ended.
   *
   * @param known Whether the tool is one of the project's.
   */
  count(event: Extract<HostEvent, { type: "call_end" }>, known: boolean): void {
    const tool = known ? event.tool : UNKNOWN_TOOL;
    const outcomes = getOrAdd(this.#calls, tool, () => new Map<string, number>());
    outcomes.set(event.outcome, (outcomes.get(event.outcome) ?? 0) + 1);
    // What never started says nothing about how long calls take.
    if (event.outcome === "refused") return;
    const duration = getOrAdd(this.#durations, tool, () => ({
      counts: BUCKETS.map(() => 0),
      count: 0,
      sum: 0,
    }));
    const seconds = (event.queuedMs + event.runMs) / 1000;
    duration.count++;
    duration.sum += seconds;
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) duration.counts[bucket]!++;
  }

  /** Counts a turn that ended. */
  countTurn({ harness, state }: Pick<TurnEnded, "harness" | "state">): void {
    const outcomes = getOrAdd(this.#turns, harness, () => new Map<string, number>());
    outcomes.set(state, (outcomes.get(state) ?? 0) + 1);
  }

  /** The page, in the Prometheus text format 0.0.4. */
  page({ stats, catalogue, events, followers }: MetricsNow): string {
    const calls: Sample[] = [];
    for (const [tool, outcomes] of this.#calls) {
      for (const [outcome, value] of outcomes) calls.push({ labels: { tool, outcome }, value });
    }
    const turns: Sample[] = [];
    for (const [harness, outcomes] of this.#turns) {
      for (const [outcome, value] of outcomes) turns.push({ labels: { harness, outcome }, value });
    }
    return [
      metricFamily("beeuni_tool_calls_total", "counter", "Calls that ended, by tool and outcome.", calls),
      histogram(
        "beeuni_tool_call_duration_seconds",
        "Time from taking a call to its answer, waiting included.",
        BUCKETS,
        [...this.#durations].map(([tool, counted]) => ({ labels: { tool }, ...counted })),
      ),
      gauge("beeuni_tool_calls_in_flight", "Calls that run now.", stats.inFlight),
      gauge("beeuni_tool_calls_queued", "Calls that wait for their turn.", stats.queued),
      gauge("beeuni_tool_workers", "Workers that are up, busy or warm.", stats.workers),
      gauge("beeuni_tool_runners", "Runner processes that are up.", stats.runners),
      counter(
        "beeuni_tool_runner_restarts_total",
        "Runner processes that were replaced.",
        stats.runnerRestarts,
      ),
      gauge("beeuni_tools_loaded", "Tools that are loaded.", catalogue.tools.length),
      gauge("beeuni_tools_failed", "Tools that did not load.", catalogue.failed.length),
      gauge("beeuni_catalogue_generation", "Number of the loaded set of tools.", catalogue.generation),
      gauge("beeuni_event_readers", "Clients that read the events.", events.readers),
      counter(
        "beeuni_event_readers_dropped_total",
        "Clients dropped because they read too slowly.",
        events.dropped,
      ),
      metricFamily(
        "beeuni_session_turns_total",
        "counter",
        "Turns that ended, by harness and outcome.",
        turns,
      ),
      gauge("beeuni_session_followers", "Clients that follow a session.", followers.readers),
      counter(
        "beeuni_session_followers_dropped_total",
        "Clients dropped because they followed a session too slowly.",
        followers.dropped,
      ),
    ].join("");
  }
}

function gauge(name: string, help: string, value: number): string {
  return metricFamily(name, "gauge", help, [{ value }]);
}

function counter(name: string, help: string, value: number): string {
  return metricFamily(name, "counter", help, [{ value }]);
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
