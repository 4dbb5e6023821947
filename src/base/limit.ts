// Limits how much of a kind of work a process does at once.

/** Runs a piece of work when its turn comes; answers what it answers. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `atOnce` run; the others wait in line, in the order in which they came. */
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
