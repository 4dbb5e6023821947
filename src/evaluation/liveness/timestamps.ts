// How the frames' times run: a camera's clock trembles, a renderer's does not. Some drivers stamp exact times: soft.
import { atLeast, type Check, notEvaluated, type Outcome, soft } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { median } from './statistics.ts';

/** Fewer frames are even by accident. Chosen, not measured. */
const MIN_FRAMES = 60;
/** Containers round times to a millisecond: an even rhythm is off by at most this. */
const ROUNDING_MS = 1;
/**
 * Files written by ffmpeg from a constant rate 0; a page's canvas at 25 frames a second .2–.6 under load. Browsers'
 * recordings of real cameras were not available: hence no more than a hint.
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
