// Limits how much of a kind of work a process does at once.

/** Runs `work` when its turn comes; settles as it does. */
export type Limit = <T>(work: () => Promise<T>, owner?: string) => Promise<T>;

/** At most `atOnce` run at once. Of those that wait, owners take turns; those of one owner go in order of arrival. */
export function createLimit(atOnce: number): Limit {
  /** The first owner's turn is next. */
  const lines = new Map<string, (() => void)[]>();
  let running = 0;
  const next = (): (() => void) | undefined => {
    const [first] = lines;
    if (!first) return undefined;
    const [owner, line] = first;
    lines.delete(owner);
    const start = line.shift();
    if (line.length > 0) lines.set(owner, line);
    return start;
  };
  return async (work, owner = '') => {
    if (running >= atOnce)
      await new Promise<void>((resolve) => lines.set(owner, [...(lines.get(owner) ?? []), resolve]));
    else running++;
    try {
      return await work();
    } finally {
      // The next one takes over this place.
      const start = next();
      if (start) start();
      else running--;
    }
  };
}
