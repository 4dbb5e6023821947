// Where a judgement's time goes.

/** Milliseconds per step; they add up to `total` but for the glue between them. */
export type TimingsMs<Step extends string> = Readonly<Record<Step | 'total', number>>;

/** Adds up wall time per step. */
export class Stopwatch<Step extends string> {
  readonly #spent = new Map<string, number>();
  readonly #startedAt = performance.now();
  readonly #steps: readonly Step[];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  add(step: Step, elapsedMs: number): void {
    this.#spent.set(step, (this.#spent.get(step) ?? 0) + elapsedMs);
  }

  async time<T>(step: Step, work: () => T | Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.add(step, performance.now() - from);
    }
  }

  read(): TimingsMs<Step> {
    const timings: Record<string, number> = {};
    for (const step of this.#steps) timings[step] = round(this.#spent.get(step) ?? 0);
    timings.total = round(performance.now() - this.#startedAt);
    return timings as TimingsMs<Step>;
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
