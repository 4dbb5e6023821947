// Group commit: writes that come while one is under way go together into the next. Under load one commit carries many of
// them; a single write does not wait (docs/decisions/0011-group-commit.md).

/** Writes one item together with others that wait; resolves with its own answer once it is on disk. */
export type GroupCommit<T, R> = (item: T) => Promise<R>;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (answer: R | PromiseLike<R>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a group with one write under way at a time.
 * @param write writes up to `maxBatch` items durably, answering for each in order; it may itself be a promise per item,
 *   so that one that fails does not fail its neighbours. Where it rejects, the whole batch does.
 * @param keyOf items with the same key never share a batch: the later one waits for the next. Null: no such bond.
 */
export function createGroupCommit<T, R>(parts: {
  maxBatch: number;
  write: (items: readonly T[]) => Promise<readonly (R | PromiseLike<R>)[]>;
  keyOf?: (item: T) => string | null;
}): GroupCommit<T, R> {
  const { maxBatch, write, keyOf = () => null } = parts;
  let waiting: Waiting<T, R>[] = [];
  let writing = false;

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

  const writeAll = async (): Promise<void> => {
    writing = true;
    while (waiting.length > 0) {
      const batch = takeBatch();
      try {
        const answers = await write(batch.map((each) => each.item));
        batch.forEach((each, at) => {
          each.resolve(answers[at]!);
        });
      } catch (error) {
        for (const each of batch) each.reject(error);
      }
    }
    writing = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!writing) void writeAll();
    });
}
