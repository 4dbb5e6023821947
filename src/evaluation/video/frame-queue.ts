// Between the decoder's pipes and the reader of frames.
import type { Frame } from './frame.ts';
import type { PpmPicture } from './ppm.ts';

/** Pairs pictures with their times, which arrive on another pipe, and hands them to one reader. */
export class FrameQueue implements AsyncIterable<Frame> {
  readonly #times: number[] = [];
  readonly #pictures: PpmPicture[] = [];
  #taken = 0;
  #state: { done: boolean; fault?: unknown } = { done: false };
  #wake: () => void = () => {};

  time(timeMs: number): void {
    this.#times.push(timeMs);
    this.#wake();
  }

  picture(picture: PpmPicture): void {
    this.#pictures.push(picture);
    this.#wake();
  }

  end(): void {
    this.#state = { done: true };
    this.#wake();
  }

  fail(fault: unknown): void {
    this.#state = { done: true, fault };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Frame> {
    while (true) {
      const picture = this.#pictures[0];
      const timeMs = this.#times[this.#taken];
      if (picture && timeMs !== undefined) {
        this.#pictures.shift();
        this.#taken++;
        yield { timeMs: timeMs - this.#times[0]!, ...picture };
      } else if (this.#state.done) {
        if (this.#state.fault) throw this.#state.fault;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
