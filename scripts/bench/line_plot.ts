/** One line of a plot. */
export interface PlotLine {
  name: string;
  /** Both greater than 0: the axes are logarithmic. */
  points: readonly (readonly [x: number, y: number])[];
}

/** A plot. */
export interface Plot {
  title: string;
  x: string;
  y: string;
  lines: readonly PlotLine[];
}

const WIDTH = 720;
const HEIGHT = 420;
const LEFT = 78;
const RIGHT = 20;
const TOP = 70;
const BOTTOM = 52;
/** Also told apart without colour: by the shape of the points and the dashes. */
const STYLES = [
  { color: "#1f6fb4", dash: "" },
  { color: "#c2571a", dash: "6 4" },
  { color: "#3d8b40", dash: "2 3" },
];

/**
 * Draws lines over two logarithmic axes, so that what grows with its size is straight. Light and dark pages can show
 * it: it has a ground of its own.
 *
 * @returns The text of an SVG file.
 */
export function linePlot({ title, x, y, lines }: Plot): string {
  const xs = lines.flatMap(({ points }) => points.map(([x]) => x));
  const ys = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const across = axis(xs, LEFT, WIDTH - RIGHT);
  const up = axis(ys, HEIGHT - BOTTOM, TOP);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 24, title, 'font-size="15" font-weight="bold"'),
    ...across.ticks.flatMap((tick) => [
      `<line x1="${across.at(tick)}" y1="${TOP}" x2="${across.at(tick)}" y2="${
        HEIGHT - BOTTOM
      }" stroke="#dddddd"/>`,
      text(across.at(tick), HEIGHT - BOTTOM + 18, short(tick), 'text-anchor="middle"'),
    ]),
    ...up.ticks.flatMap((tick) => [
      `<line x1="${LEFT}" y1="${up.at(tick)}" x2="${WIDTH - RIGHT}" y2="${up.at(tick)}" stroke="#dddddd"/>`,
      text(LEFT - 8, up.at(tick) + 4, short(tick), 'text-anchor="end"'),
    ]),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x, 'text-anchor="middle"'),
    text(
      16,
      (TOP + HEIGHT - BOTTOM) / 2,
      y,
      `text-anchor="middle" transform="rotate(-90 16 ${(TOP + HEIGHT - BOTTOM) / 2})"`,
    ),
  ];
  for (const [index, { name, points }] of lines.entries()) {
    const { color, dash } = STYLES[index % STYLES.length]!;
    const places = points.map(([x, y]) => [across.at(x), up.at(y)] as const);
    const path = places.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x} ${y}`).join("");
    const line = `fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dash}"`;
    const left = LEFT + index * 215;
    parts.push(
      `<path d="${path}" ${line}/>`,
      ...places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" fill="${color}"/>`),
      `<path d="M${left} 46h26" ${line}/>`,
      text(left + 32, 50, name),
    );
  }
  return `${parts.join("\n")}\n</svg>\n`;
}

/** A logarithmic axis over the values, from pixel `from` to pixel `to`, with round ticks. */
function axis(values: readonly number[], from: number, to: number) {
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  // A flat line lies in the middle.
  const spare = Math.max(0.05 * (high - low), high - low < 0.5 ? 0.5 : 0);
  const [first, last] = [low - spare, high + spare];
  const at = (value: number) =>
    Math.round((from + (Math.log10(value) - first) / (last - first) * (to - from)) * 10) / 10;
  const steps = last - first > 2.5 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(first); power <= last; power++) {
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (Math.log10(tick) >= first && Math.log10(tick) <= last) ticks.push(tick);
    }
  }
  return { at, ticks };
}

/** `1500` as `1.5k`. */
function short(value: number): string {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]] as const) {
    if (value >= size) return `${Number((value / size).toPrecision(3))}${unit}`;
  }
  return String(Number(value.toPrecision(3)));
}

function text(x: number, y: number, content: string, more = ""): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x}" y="${y}" fill="#222222" ${more}>${escaped}</text>`;
}
