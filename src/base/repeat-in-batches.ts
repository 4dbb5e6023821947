// Repeats work in batches until none is left.

/**
 * Repeats `step`, which resolves with the number of items it did, until that is below `batch`. Resolves with the total.
 */
export async function repeatInBatches(batch: number, step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const done = await step();
    total += done;
    if (done < batch) return total;
  }
}
