// Batching: items that arrive while a batch is in progress form the next one. Under load, one statement or one commit
// serves many items; a single item does not wait.

/** Processes an item together with others that are waiting; resolves with the item's own answer. */
export type Group<T, R> = (item: T) => Promise<R>;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a group that works on one batch at a time.
 * @param work processes up to `maxBatch` items and resolves with their answers in order. If it rejects, the whole batch
 *   rejects.
 * @param keyOf items with the same key never share a batch: the later one waits for the next. Null: no restriction.
 */
export function createGroup<T, R>(parts: {
  maxBatch: number;
  work: (items: readonly T[]) => Promise<readonly R[]>;
  keyOf?: (item: T) => string | null;
}): Group<T, R> {
  const { maxBatch, work, keyOf = () => null } = parts;
  let waiting: Waiting<T, R>[] = [];
  let working = false;

  const takeBatch = (): Waiting<T, R>[] => {
    const batch: Waiting<T, R>[] = [];
    const later: Waiting<T, R>[] = [];
    const keys = new Set<string>();
    for (const each of waiting) {
      const key = keyOf(each.item);
      const isTaken = batch.length < maxBatch && (key === null || !keys.has(key));
      (isTaken ? batch : later).push(each);
      // Noted even if this item has to wait, so that items with the same key keep their order.
      if (key !== null) keys.add(key);
    }
    waiting = later;
    return batch;
  };

  const workThrough = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const answers = await work(batch.map((each) => each.item));
        batch.forEach((each, at) => {
          each.resolve(answers[at]!);
        });
      } catch (error) {
        for (const each of batch) each.reject(error);
      }
    }
    working = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!working) void workThrough();
    });
}
