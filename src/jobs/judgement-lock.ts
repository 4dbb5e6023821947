// A readers–writer lock over the judgements of one worker process. A capture whose judgement broke off is judged
// exclusively, so that if it ends the process again, no other is charged with that, and it alone is told to be at fault.

export interface JudgementLock {
  /** Runs work beside other shared work; waits while some is exclusive, or waits to be. */
  shared<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work when everything that runs now has ended. One at a time. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export function createJudgementLock(): JudgementLock {
  let lastExclusive: Promise<unknown> = Promise.resolve();
  const running = new Set<Promise<unknown>>();
  const settled = (work: Promise<unknown>) => work.then(nothing, nothing);
  return {
    shared: async (work) => {
      for (let before: typeof lastExclusive | null = null; before !== lastExclusive; ) {
        before = lastExclusive;
        await before;
      }
      const begun = work();
      const ended = settled(begun);
      running.add(ended);
      ended.then(() => running.delete(ended));
      return begun;
    },
    exclusive: (work) => {
      const begun = lastExclusive.then(() => Promise.all(running)).then(work);
      lastExclusive = settled(begun);
      return begun;
    },
  };
}

const nothing = () => {};
