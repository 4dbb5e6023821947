// Work in groups: items that arrive while a group is in progress form the next one. Under load, one statement or one commit
// serves many items; a single item does not wait (docs/decisions/0011-group-commit.md).

/** Has one item done together with others that wait; resolves with its own answer. */
export type Group<T, R> = (item: T) => Promise<R>;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (answer: R | PromiseLike<R>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a group with one piece of work under way at a time.
 * @param work does up to `maxBatch` items, answering for each in order; it may itself be a promise per item,
 *   so that one that fails does not fail its neighbours. Where it rejects, the whole batch does.
 * @param keyOf items with the same key never share a batch: the later one waits for the next. Null: no such bond.
 */
export function createGroup<T, R>(parts: {
  maxBatch: number;
  work: (items: readonly T[]) => Promise<readonly (R | PromiseLike<R>)[]>;
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
      // A bond keeps its order also where its first had to wait.
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
