// Limits how much of a kind of work a process does at once.

/** Runs `work` when its turn comes; settles as it does. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `atOnce` run at once; the others wait in order of arrival. */
export function createLimit(atOnce: number): Limit {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => line.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The next in line takes over this place.
      const next = line.shift();
      if (next) next();
      else running--;
    }
  };
}
