/** What a property test gives fast-check. */
export interface FuzzParameters {
  numRuns: number;
  seed: number;
}

/**
 * How often a property is tried, and from which seed: the same every time in a usual run, so that a failure is no
 * surprise of the day. `deno task fuzz` tries 20 times as often (`BEEUNI_FUZZ_FACTOR`) from a seed of its own
 * (`BEEUNI_FUZZ_SEED`); fast-check prints the seed of a failure.
 */
export function fuzz(runs: number): FuzzParameters {
  const factor = Number(Deno.env.get("BEEUNI_FUZZ_FACTOR") ?? 1);
  const seed = Deno.env.get("BEEUNI_FUZZ_SEED");
  const isLong = factor !== 1;
  return {
    numRuns: Math.ceil(runs * factor),
    seed: seed !== undefined ? Number(seed) : isLong ? Math.trunc(Math.random() * 2 ** 31) : 20_261_201,
  };
}
