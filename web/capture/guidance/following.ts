// Whether the head follows the mark, and where the head points: only to show the person. The server judges the
// recording.
import type { AnswerMeasures } from '../../../src/contract/answer-measures.ts';
import { type Path, pathAt } from '../../../src/contract/path.ts';

/** One look at the head, timed from the step's beginning. */
export interface HeadLook {
  readonly atMs: number;
  readonly face: Pick<AnswerMeasures, 'yaw' | 'pitch'>;
}

/** Apparent yaw and pitch of a head that points at the rim: 15–20° either way, as when looking around. Chosen. */
const RIM = { yaw: 0.28, pitch: 0.22 } as const;
/** Usual delay from the mark to the head as guidance sees it. Chosen; the server searches for it. */
const DELAY_MS = 350;
/** Correlation that counts as following: chance reaches it on about one in ten paths. Chosen, not measured. */
const MIN_CORRELATION = 0.5;
const MIN_LOOKS = 8;

/** Where the head points, on the path's scale (−100 to 100), relative to the person's own face at rest. */
export function pointing(
  face: Pick<AnswerMeasures, 'yaw' | 'pitch'>,
  neutral: Pick<AnswerMeasures, 'yaw' | 'pitch'>,
): { x: number; y: number } {
  const x = ((face.yaw - neutral.yaw) / RIM.yaw) * 100;
  const y = ((face.pitch - neutral.pitch) / RIM.pitch) * 100;
  const within = Math.max(1, Math.hypot(x, y) / 110);
  return { x: x / within, y: y / within };
}

/** Whether the looks correlate with the mark, averaged over both axes. */
export function isFollowing(looks: readonly HeadLook[], path: Path): boolean {
  const moving = looks.filter(({ atMs }) => atMs >= path[1]!.at_ms && atMs <= path.at(-1)!.at_ms);
  if (moving.length < MIN_LOOKS) return false;
  const marks = moving.map(({ atMs }) => pathAt(path, atMs - DELAY_MS));
  const along =
    correlation(
      moving.map(({ face }) => face.yaw),
      marks.map(({ x }) => x),
    ) +
    correlation(
      moving.map(({ face }) => face.pitch),
      marks.map(({ y }) => y),
    );
  return along / 2 >= MIN_CORRELATION;
}

function correlation(ones: readonly number[], others: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [one, other] = [mean(ones), mean(others)];
  let both = 0;
  let squares = 0;
  let otherSquares = 0;
  for (const [i, value] of ones.entries()) {
    both += (value - one) * (others[i]! - other);
    squares += (value - one) ** 2;
    otherSquares += (others[i]! - other) ** 2;
  }
  return squares > 0 && otherSquares > 0 ? both / Math.sqrt(squares * otherSquares) : 0;
}
