/** One line of the table: what was measured, against what, and what it should be (specification 5.3). */
export interface Figure {
  what: string;
  /** Median of the rounds, in `unit`. */
  value: number;
  unit: string;
  /** What it is held against, measured in the same run; absent for an absolute limit. */
  peer?: { what: string; value: number };
  /** Holds for the ratio to the peer, or for the value when there is none; absent for what is told beside. */
  goal?: { at: "most" | "least"; limit: number };
}

/** The number that the goal is about: the ratio to the peer, or the value. */
export function measured(figure: Figure): number {
  return figure.peer === undefined ? figure.value : figure.value / figure.peer.value;
}

/** Whether the goal is reached; undefined without one. */
export function isReached(figure: Figure): boolean | undefined {
  if (figure.goal === undefined) return undefined;
  const { at, limit } = figure.goal;
  return at === "most" ? measured(figure) <= limit : measured(figure) >= limit;
}

/** The figures as a Markdown table. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, value, unit, peer, goal } = figure;
    const sign = goal?.at === "most" ? "≤" : "≥";
    return [
      what,
      `${rounded(value)} ${unit}`,
      peer === undefined ? "–" : `${peer.what}: ${rounded(peer.value)} ${unit}`,
      peer === undefined ? "–" : `${rounded(measured(figure))} ×`,
      goal === undefined ? "–" : `${sign} ${goal.limit} ${peer === undefined ? unit : "×"}`,
      { true: "yes", false: "no", undefined: "–" }[`${isReached(figure)}`],
    ];
  });
  const lines = [
    ["What", "Measured", "Held against", "Ratio", "Goal", "Reached"],
    Array(6).fill("---"),
    ...rows,
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** Three significant digits. */
function rounded(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
