// The queue between the decoder's pipes and the reader of frames.
import type { Frame } from './frame.ts';
import type { PpmPicture } from './ppm.ts';

/** Called when the queue is full, and when it accepts pictures again. */
export interface FrameSource {
  pause(): void;
  resume(): void;
}

/**
 * Pairs pictures with their times, which arrive on another pipe, and hands them to one reader. Once `mostFrames`
 * pictures wait, it holds its source back until half of them are read; what is already on its way still arrives. Times
 * are never held back, because the waiting pictures need theirs.
 */
export class FrameQueue implements AsyncIterable<Frame> {
  readonly #times: number[] = [];
  readonly #pictures: PpmPicture[] = [];
  readonly #mostFrames: number;
  readonly #source: FrameSource;
  readonly #untilMs: number;
  #isPast = false;
  #held = false;
  #taken = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #state: { done: boolean; fault?: unknown } = { done: false };
  #wake: () => void = () => {};

  /** Pictures from `untilMs` on are dropped. */
  constructor(mostFrames: number, source: FrameSource, untilMs = Number.POSITIVE_INFINITY) {
    this.#mostFrames = mostFrames;
    this.#source = source;
    this.#untilMs = untilMs;
  }

  /** Number of pictures that wait for the reader. */
  get waiting(): number {
    return this.#pictures.length;
  }

  /** Time of the last frame that the reader was given; -Infinity before the first. */
  get lastMs(): number {
    return this.#lastMs;
  }

  time(timeMs: number): void {
    this.#times.push(timeMs);
    this.#wake();
  }

  picture(picture: PpmPicture): void {
    this.#pictures.push(picture);
    if (!this.#held && this.#pictures.length >= this.#mostFrames) {
      this.#held = true;
      this.#source.pause();
    }
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
        if (this.#held && this.#pictures.length <= this.#mostFrames / 2) {
          this.#held = false;
          this.#source.resume();
        }
        const frame = { timeMs: timeMs - this.#times[0]!, ...picture };
        this.#isPast ||= frame.timeMs >= this.#untilMs;
        if (this.#isPast) continue;
        this.#lastMs = frame.timeMs;
        yield frame;
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
