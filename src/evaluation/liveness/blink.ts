// A blink speaks for life; its absence says nothing (11 of 21 live clips have one, 0 of 93 still attacks).
import { type Check, notEvaluated, type Shown } from './cue.ts';
import { median } from './statistics.ts';

/** Lids fall by this share of their own usual opening, for at most this long. Stills under noise reach .12. */
const MIN_DROP = 0.3;
const MAX_BLINK_MS = 450;

/** Deepest short fall of the eyes' openness, as a share of the usual; not evaluated when there is none. */
export const blink: Check<Shown> = ({ observations }) => {
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
    ? notEvaluated('blink', 'no_blink')
    : { cue: 'blink', status: 'passed', value: deepest, threshold: MIN_DROP, reason: null };
};
