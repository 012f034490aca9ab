/**
 * The value below which a part of the samples lies (nearest rank).
 *
 * @param part Between 0 and 1; 0.5 is the median.
 * @throws {RangeError} without a sample.
 */
export function percentile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))];
  if (value === undefined) throw new RangeError("no samples");
  return value;
}

/** The middle one of the samples. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}
