import assert from "node:assert/strict";
import type { CallOutcome } from "../host/types.ts";
import { Metrics } from "./metrics.ts";
import { histogram, metricFamily } from "./prometheus.ts";

function ended(tool: string, outcome: CallOutcome, runMs: number, queuedMs = 0) {
  return {
    type: "call_end" as const,
    call: "c",
    tool,
    agent: "a",
    session: "",
    outcome,
    queuedMs,
    runMs,
    bytes: 1,
  };
}

const NOW = {
  stats: { inFlight: 3, queued: 2, workers: 5, runners: 1, runnerRestarts: 4 },
  catalogue: { generation: 7, tools: [], failed: [], removed: [], unused: [] },
  followers: { readers: 2, dropped: 1 },
  events: { readers: 1, dropped: 6 },
};

Deno.test("calls are counted by tool and outcome, times in seconds with the wait", () => {
  const metrics = new Metrics();
  metrics.count(ended("echo", "completed", 3, 1), true);
  metrics.count(ended("echo", "completed", 2000), true);
  metrics.count(ended("echo", "timed_out", 4_000_000), true);
  for (
    const [harness, state] of [
      ["standard", "completed"],
      ["standard", "completed"],
      ["standard", "failed"],
      ["experimental", "stopped"],
    ] as const
  ) metrics.countTurn({ harness, state });
  const lines = metrics.page(NOW).split("\n");
  for (
    const line of [
      "# TYPE beeuni_tool_calls_total counter",
      'beeuni_tool_calls_total{tool="echo",outcome="completed"} 2',
      'beeuni_tool_calls_total{tool="echo",outcome="timed_out"} 1',
      "# TYPE beeuni_tool_call_duration_seconds histogram",
      'beeuni_tool_call_duration_seconds_bucket{tool="echo",le="0.0025"} 0',
      'beeuni_tool_call_duration_seconds_bucket{tool="echo",le="0.005"} 1',
      'beeuni_tool_call_duration_seconds_bucket{tool="echo",le="2.5"} 2',
      'beeuni_tool_call_duration_seconds_bucket{tool="echo",le="600"} 2',
      'beeuni_tool_call_duration_seconds_bucket{tool="echo",le="+Inf"} 3',
      'beeuni_tool_call_duration_seconds_sum{tool="echo"} 4002.004',
      'beeuni_tool_call_duration_seconds_count{tool="echo"} 3',
      "# TYPE beeuni_tool_calls_in_flight gauge",
      "beeuni_tool_calls_in_flight 3",
      "beeuni_tool_calls_queued 2",
      "beeuni_tool_workers 5",
      "beeuni_tool_runners 1",
      "# TYPE beeuni_tool_runner_restarts_total counter",
      "beeuni_tool_runner_restarts_total 4",
      "beeuni_catalogue_generation 7",
      "beeuni_event_readers_dropped_total 6",
      "beeuni_session_followers 2",
      "beeuni_session_followers_dropped_total 1",
      'beeuni_session_turns_total{harness="standard",outcome="completed"} 2',
      'beeuni_session_turns_total{harness="standard",outcome="failed"} 1',
      'beeuni_session_turns_total{harness="experimental",outcome="stopped"} 1',
    ]
  ) assert.ok(lines.includes(line), `${line}\nis not in\n${lines.join("\n")}`);
});

Deno.test("names that are no tool make one series, and refusals no time", () => {
  const metrics = new Metrics();
  for (let index = 0; index < 1000; index++) metrics.count(ended(`guess_${index}`, "refused", 0), false);
  const page = metrics.page(NOW);
  assert.match(page, /^beeuni_tool_calls_total\{tool="\(unknown\)",outcome="refused"\} 1000$/m);
  assert.equal(page.match(/^beeuni_tool_calls_total/gm)?.length, 1);
  assert.doesNotMatch(page, /duration/);
});

Deno.test("every line of the page is one the format allows, and each metric is announced once", () => {
  const metrics = new Metrics();
  metrics.count(ended("echo", "completed", 1), true);
  const seen = new Set<string>();
  for (const line of metrics.page(NOW).trimEnd().split("\n")) {
    assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"\n]*",?)+\})? [0-9.e+-]+)$/);
    if (!line.startsWith("# TYPE")) continue;
    assert.equal(seen.has(line), false, line);
    seen.add(line);
  }
  assert.equal(metrics.page(NOW).endsWith("\n"), true);
});

Deno.test("labels and help are escaped as the format says", () => {
  assert.equal(
    metricFamily("m", "gauge", "a\\b\nc", [{ labels: { l: 'q"\\\n' }, value: 1 }]),
    '# HELP m a\\\\b\\nc\n# TYPE m gauge\nm{l="q\\"\\\\\\n"} 1\n',
  );
  assert.equal(metricFamily("m", "counter", "h", []), "");
  assert.equal(histogram("m", "h", [1], []), "");
  assert.equal(
    histogram("m", "h", [1, 2], [{ labels: {}, counts: [1, 2], count: 4, sum: 9.5 }]),
    '# HELP m h\n# TYPE m histogram\nm_bucket{le="1"} 1\nm_bucket{le="2"} 3\nm_bucket{le="+Inf"} 4\nm_sum 9.5\nm_count 4\n',
  );
});
