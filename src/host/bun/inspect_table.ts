type Cells = Map<string, string>;

/**
 * `Bun.inspect.table`: rows as `console.table` draws them, as a string.
 *
 * @param print How a value that is no string looks in a cell.
 */
export function inspectTable(
  print: (value: unknown) => string,
): (rows: unknown, properties?: string[] | object) => string {
  const cell = (value: unknown) => typeof value === "string" ? value : print(value);
  return (rows, properties) => {
    if (typeof rows !== "object" || rows === null) return "";
    const chosen = Array.isArray(properties) ? properties.map(String) : undefined;
    const labelled: [string, Cells][] = rowsOf(rows).map(([label, row, key]) => {
      const cells: Cells = new Map(key === undefined ? [] : [["Key", cell(key)]]);
      if (typeof row !== "object" || row === null || key !== undefined) cells.set("Values", cell(row));
      else for (const [name, value] of Object.entries(row)) cells.set(name, cell(value));
      return [label, cells];
    });
    const found = [...new Set(labelled.flatMap(([, cells]) => [...cells.keys()]))];
    // the column of plain values comes last
    const columns = chosen ??
      [...found.filter((name) => name !== "Values"), ...found.filter((name) => name === "Values")];
    return draw([
      ["", ...columns],
      ...labelled.map(([label, cells]) => [label, ...columns.map((name) => cells.get(name) ?? "")]),
    ]);
  };
}

/** Label, value and, of a Map, key of each row. */
function rowsOf(rows: object): [label: string, row: unknown, key?: unknown][] {
  if (rows instanceof Map) return [...rows].map(([key, row], index) => [String(index), row, key]);
  if (rows instanceof Set) return [...rows].map((row, index) => [String(index), row]);
  return Object.entries(rows).map(([label, row]) => [label, row]);
}

/** Draws cells with lines around them; the first row is the head. */
function draw(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(1, ...rows.map((row) => width(row[column]!))));
  const line = (left: string, middle: string, right: string) =>
    left + widths.map((columns) => "─".repeat(columns + 2)).join(middle) + right;
  const body = rows.map((row) =>
    `│${row.map((text, column) => ` ${text}${" ".repeat(widths[column]! - width(text))} `).join("│")}│`
  );
  return [line("┌", "┬", "┐"), body[0], line("├", "┼", "┤"), ...body.slice(1), line("└", "┴", "┘"), ""].join(
    "\n",
  );
}

const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;

/** Columns of a text on a terminal; wide characters (East Asian, emoji) take two, control characters none. */
function width(text: string): number {
  return [...text].reduce((sum, char) => sum + (WIDE.test(char) ? 2 : /\p{Cc}/u.test(char) ? 0 : 1), 0);
}
