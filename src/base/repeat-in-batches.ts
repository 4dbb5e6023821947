// Work in batches until there is none left.

/** Repeats `step`, which answers how many it did of at most `batch`; answers the sum. */
export async function repeatInBatches(batch: number, step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const done = await step();
    total += done;
    if (done < batch) return total;
  }
}
