// Keeps the frames of a video that may still become portraits while its length is unknown; the others can be released.
import type { Frame } from '../video/frame.ts';
import { type AssessedFrame, scoreOf } from './select.ts';

/** A frame that may be the best of its stretch, whatever the stretch's length. */
interface Candidate {
  readonly timeMs: number;
  readonly score: number;
  readonly frame: Frame;
  /**
   * Time of the last frame before it that is at least as good, and of the first one after it that is better; null if
   * none.
   */
  readonly beforeMs: number | null;
  afterMs: number | null;
}

/** Tolerance for comparing times, so that a frame is kept too long rather than too short. */
const SLACK_MS = 1e-3;

/**
 * Keeps every frame that `selectPortraits` may choose once the last one has arrived: the best of one of `count` equal
 * stretches of a video that lasts at least until now. An ordinary capture keeps about ten; one in which each frame is
 * better than the one before keeps most of them.
 */
export class PortraitCandidates {
  readonly #count: number;
  #kept: Candidate[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** Takes the next frame, and releases those that can no longer be chosen. */
  add(assessed: AssessedFrame & { readonly frame: Frame }): void {
    const { frame, observation } = assessed;
    const { timeMs } = observation;
    const score = scoreOf(assessed);
    if (score !== null) {
      let beforeMs: number | null = null;
      for (const candidate of this.#kept) {
        if (candidate.score >= score) beforeMs = candidate.timeMs;
        else candidate.afterMs ??= timeMs;
      }
      this.#kept.push({ timeMs, score, frame, beforeMs, afterMs: null });
    }
    this.#kept = this.#kept.filter((candidate) => this.#mayBeChosen(candidate, timeMs));
  }

  /** The frames that are kept, by their times. */
  frames(): ReadonlyMap<number, Frame> {
    return new Map(this.#kept.map(({ timeMs, frame }) => [timeMs, frame]));
  }

  /** Whether there is a length of at least `nowMs` for which the frame lies in a stretch without a better one. */
  #mayBeChosen(candidate: Candidate, nowMs: number): boolean {
    for (let stretch = 0; stretch < this.#count; stretch++)
      if (this.#mayBeBestOf(stretch, candidate, nowMs)) return true;
    return false;
  }

  /** Stretch i of a video of length L runs from i·L/count to (i + 1)·L/count; L is the last frame's time plus 1 ms. */
  #mayBeBestOf(stretch: number, { timeMs, beforeMs, afterMs }: Candidate, nowMs: number): boolean {
    const isFirst = stretch === 0;
    const isLast = stretch === this.#count - 1;
    // No boundary can separate it from the better one.
    if ((isFirst && beforeMs !== null) || (isLast && afterMs !== null)) return false;
    const begins = this.#count / stretch;
    const ends = this.#count / (stretch + 1);
    const least = Math.max(
      nowMs + 1,
      isFirst || beforeMs === null ? 0 : beforeMs * begins,
      isLast ? 0 : timeMs * ends,
    );
    const most = Math.min(
      isFirst ? Number.POSITIVE_INFINITY : timeMs * begins,
      isLast || afterMs === null ? Number.POSITIVE_INFINITY : afterMs * ends,
    );
    return least <= most + SLACK_MS;
  }
}
