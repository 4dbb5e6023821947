// Who is judged beside whom in one worker process: a capture whose judgement broke off is judged alone, so that if it
// ends the process again, no other is charged with that, and it alone is told to be at fault.

export interface Company {
  /** Runs work beside other such work; waits while some runs alone, or waits to. */
  beside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work when everything that runs now has ended. One at a time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function createCompany(): Company {
  let lastAlone: Promise<unknown> = Promise.resolve();
  const present = new Set<Promise<unknown>>();
  const settled = (work: Promise<unknown>) => work.then(nothing, nothing);
  return {
    beside: async (work) => {
      for (let before: typeof lastAlone | null = null; before !== lastAlone; ) {
        before = lastAlone;
        await before;
      }
      const running = work();
      const ended = settled(running);
      present.add(ended);
      ended.then(() => present.delete(ended));
      return running;
    },
    alone: (work) => {
      const before = lastAlone;
      const running = before.then(() => Promise.all(present)).then(work);
      lastAlone = settled(running);
      return running;
    },
  };
}

const nothing = () => {};
