/** Labels of a sample. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a metric. */
export interface Sample {
  labels?: Labels;
  value: number;
}

/** What a histogram counted. */
export interface HistogramCount {
  /** Per bound: how many fell into it and into none before it. */
  counts: number[];
  /** How many in all, also beyond the last bound. */
  count: number;
  sum: number;
}

/** A metric with its help and type, in the Prometheus text format; `""` without samples. */
export function metricFamily(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return "";
  return heading(name, type, help) +
    samples.map((sample) => line(name, sample.labels, sample.value)).join("");
}

/**
 * A histogram in the Prometheus text format; `""` when nothing was counted.
 *
 * @param bounds Upper bounds, ascending, without infinity.
 */
export function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
  series: readonly (HistogramCount & { labels: Labels })[],
): string {
  if (series.length === 0) return "";
  let text = heading(name, "histogram", help);
  for (const { labels, counts, count, sum } of series) {
    let below = 0;
    bounds.forEach((bound, index) => {
      below += counts[index] ?? 0;
      text += line(`${name}_bucket`, { ...labels, le: String(bound) }, below);
    });
    text += line(`${name}_bucket`, { ...labels, le: "+Inf" }, count);
    text += line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, count);
  }
  return text;
}

function heading(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: Labels | undefined, value: number): string {
  const pairs = Object.entries(labels ?? {}).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
