// Order statistics of small lists.

/** The value below which `share` (0–1) of the list lies; NaN when it is empty. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!);
}

/** The middle value; NaN when the list is empty. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
