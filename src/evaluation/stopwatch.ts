// Measures where a judgement's time goes.

/**
 * Milliseconds per step; they add up to `total`, except for the code between the steps. `rest` is the part of `total`
 * after the last byte arrived: how long a person waits if the video was judged while it grew.
 */
export type TimingsMs<Step extends string> = Readonly<Record<Step | 'total' | 'rest', number>>;

/** Adds up wall time per step. */
export class Stopwatch<Step extends string> {
  readonly #spent = new Map<string, number>();
  readonly #startedAt = performance.now();
  #restFrom = this.#startedAt;
  readonly #steps: readonly Step[];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** To be called when the last byte has arrived. */
  startRest(): void {
    this.#restFrom = performance.now();
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
    const now = performance.now();
    timings.total = round(now - this.#startedAt);
    timings.rest = round(now - this.#restFrom);
    return timings as TimingsMs<Step>;
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
