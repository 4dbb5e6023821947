// A head moves relative to its background; a photograph takes its background along. This is meaningful only if the
// camera stands still and the picture's border has texture; motion/measure.ts measures only under these conditions.
import { atMost, notEvaluated, type Outcome, soft, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { median } from './statistics.ts';

/** With fewer steps, chance in a single step can decide the median. Chosen, not measured. */
const MIN_STEPS = 3;
/**
 * Genuine clips with a static camera ≤ 0.06 (5 clips); pictures moved before a static border 0.44–1.04. Too few clips
 * for more than a soft cue.
 */
const MAX_SHARE = 0.4;

export const surround: VideoCheck = { cue: 'surround', role: soft(0.4), run };

/** Share of the face's displacement that its surround makes too; median over the clip. */
function run({ motion }: VideoEvidence): Outcome {
  if (motion.surround.length < MIN_STEPS) return notEvaluated('not_applicable');
  return atMost(median(motion.surround.map(({ share }) => share)), MAX_SHARE, 'moves_with_surround');
}
