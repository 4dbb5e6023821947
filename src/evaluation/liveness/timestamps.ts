// The rhythm of the frames' times: a camera's clock jitters, a renderer's does not. Some drivers stamp exact times, so
// the cue is soft.
import { atLeast, type Check, notEvaluated, type Outcome, soft } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { median } from './statistics.ts';

/** Fewer frames may be even by accident. Chosen, not measured. */
const MIN_FRAMES = 60;
/** Containers round times to a millisecond, so an even rhythm is off by at most this. */
const ROUNDING_MS = 1;
/**
 * Files that ffmpeg writes at a constant rate 0; a page's canvas at 25 frames per second 0.2–0.6 under load. Browsers'
 * recordings of real cameras were not available, so this is no more than a hint.
 */
const MIN_UNEVEN_SHARE = 0.01;

export const timestamps: Check = { cue: 'timestamps', role: soft(0.1), run };

/** Share of the intervals that an even rhythm, rounded to milliseconds, does not explain. */
function run({ clip: { sourceTimesMs }, submission }: CaptureEvidence): Outcome {
  if (!submission || sourceTimesMs.length < MIN_FRAMES) return notEvaluated('not_applicable');
  const intervals = sourceTimesMs.slice(1).map((timeMs, i) => timeMs - sourceTimesMs[i]!);
  const rhythmMs = median(intervals);
  const uneven = intervals.filter((interval) => Math.abs(interval - rhythmMs) > ROUNDING_MS).length;
  return atLeast(uneven / intervals.length, MIN_UNEVEN_SHARE, 'even_timestamps');
}
