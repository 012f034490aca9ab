/** What a command that only reads comes to; the program writes it. */
export interface CommandResult {
  /** Complete, with its final newline. */
  stdout: string;
  exitCode: number;
}

/** One JSON document, indented by 2, as every `--json` prints it. */
export function jsonDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
