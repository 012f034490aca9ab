// deno-lint-ignore-file no-console -- the demo talks to the person who started it

/** Prints the demo's steps and counts what was not as promised. */
export class Report {
  #step = 0;
  #broken = 0;

  /** Does a step; whatever it throws was not promised. */
  async step(title: string, work: () => Promise<void>): Promise<void> {
    console.log(`\n${++this.#step}. ${title}`);
    try {
      await work();
    } catch (error) {
      this.promise("the step goes through", false, String(error));
    }
  }

  /** Says something in plain words. */
  say(text: string): void {
    for (const line of text.trimEnd().split("\n")) console.log(`   ${line}`.trimEnd());
  }

  /** Says `text` when `kept`, otherwise that it was promised and what was seen instead. */
  promise(text: string, kept: boolean, seen: unknown): void {
    if (kept) return this.say(`✓ ${text}`);
    this.#broken++;
    this.say(`✗ NOT as promised: ${text}`);
    this.say(`  instead: ${typeof seen === "string" ? seen : JSON.stringify(seen)}`);
  }

  /** The last line; the exit code. */
  end(seconds: number): number {
    const took = `${seconds.toFixed(1)} s`;
    if (this.#broken === 0) console.log(`\nEverything was as promised (${took}).`);
    else {console.log(
        `\n${this.#broken} ${this.#broken === 1 ? "thing was" : "things were"} not as promised (${took}).`,
      );}
    return this.#broken === 0 ? 0 : 1;
  }
}
