// A blink is evidence of life; its absence means nothing (11 of 21 live clips have one, 0 of 93 still attacks).
import { notEvaluated, type Outcome, soft, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { median } from './statistics.ts';

/** In a blink, the eyes' openness falls by at least this share of its usual value. Stills under noise reach 0.12. */
const MIN_DROP = 0.3;
/** Eyes that stay shut longer are closed, not blinking. Chosen, not measured. */
const MAX_BLINK_MS = 450;

export const blink: VideoCheck = { cue: 'blink', role: soft(0, -0.5), run };

/** Deepest short fall of the eyes' openness, as a share of its usual value; not evaluated if there is no blink. */
function run({ observations }: VideoEvidence): Outcome {
  const seen = observations.flatMap(({ face, timeMs }) => (face ? [{ timeMs, open: face.eyesOpen }] : []));
  const usual = median(seen.map(({ open }) => open));
  let deepest = 0;
  for (const { timeMs, open } of seen) {
    const near = seen.filter((other) => Math.abs(other.timeMs - timeMs) <= MAX_BLINK_MS / 2 + 100);
    const before = Math.max(...near.filter((other) => other.timeMs < timeMs).map((other) => other.open));
    const after = Math.max(...near.filter((other) => other.timeMs > timeMs).map((other) => other.open));
    const drop = (Math.min(before, after) - open) / usual;
    if (Number.isFinite(drop)) deepest = Math.max(deepest, drop);
  }
  return deepest < MIN_DROP
    ? notEvaluated('no_blink')
    : { status: 'passed', value: deepest, threshold: MIN_DROP, reason: null };
}
