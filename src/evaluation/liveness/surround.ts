// A head moves against its background; a photograph takes its background along. Meaningful only if the camera stands
// still and the picture's border has texture: motion/measure.ts takes its points under these conditions.
import { atMost, notEvaluated, type Outcome, soft, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { median } from './statistics.ts';

/** With fewer steps the median is one step's accident. Chosen, not measured. */
const MIN_STEPS = 3;
/** Genuine clips with a static camera ≤ .06 (5 clips); pictures moved before a static border .44–1.04. Few: soft. */
const MAX_SHARE = 0.4;

export const surround: VideoCheck = { cue: 'surround', role: soft(0.4), run };

/** Share of the face's displacement that its surround makes too, median over the clip. */
function run({ motion }: VideoEvidence): Outcome {
  if (motion.surround.length < MIN_STEPS) return notEvaluated('not_applicable');
  return atMost(median(motion.surround.map(({ share }) => share)), MAX_SHARE, 'moves_with_surround');
}
