// Seams that coincide with the prompts. Footage that is assembled once the prompts are known has a seam between each
// answer and the next. Each seam alone may be as small as what happens before a camera by chance, but chance does not
// coincide with every prompt.
import { atLeast, atMost, type Check, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { jumpsOfBoth, type Moment } from './seams.ts';
import { median } from './statistics.ts';
import { detailRatios } from './view.ts';

export const cutAtPrompts: Check = {
  cue: 'cut_at_prompts',
  role: gate('spoof'),
  refuses: [],
  stays: 'cuts at every prompt, each too small for hard_cut, fail nowhere else',
  run: usualJump,
};
export const detailAtPrompts: Check = {
  cue: 'detail_at_prompts',
  role: gate('spoof'),
  refuses: ['faded_stills_smile_only'],
  run: usualDetail,
};

/**
 * A seam may lie this long before the time at which its prompt is said to have been shown. Each moment belongs to one
 * prompt only. Chosen, not measured.
 */
const BEFORE_PROMPT_MS = 100;
/** Least number of prompts after the first; with fewer, chance may coincide with most of them. Chosen, not measured. */
const MIN_STEPS = 3;
/**
 * Cuts between rendered takes of one person 0.48 and more, above this limit in 20 of 24 libraries; genuine clips under
 * made-up prompts of 0.7 to 2.5 s 0.59 and less (prompts bench: 450 scripts over 100 clips of eleven persons), rendered
 * persons 0.40.
 */
const MAX_USUAL_JUMP = 0.65;
/**
 * Neighbours on each side with which a frame's detail is compared: a quarter of a second, in which a person moves
 * little, and no more source frames than the thresholds were set with. With a camera of 10 frames per second, six
 * frames span more than half a second: 4 of 27 scripts over such a clip failed.
 */
const NEIGHBOURS = { withinMs: 250, atMost: 6 };
/**
 * Two mixed pictures show less detail than either: fades 0.82–0.98, below this limit in 18 of 24 libraries; the genuine
 * clips above 0.94 and more.
 */
const MIN_USUAL_DETAIL = 0.93;

/** The jump of face and picture that more than half of the prompts reach, relative to the smallest jump of a cut. */
function usualJump(evidence: CaptureEvidence): Outcome {
  const largest = extremesAtPrompts(evidence, jumpsOfBoth(evidence), (values) => Math.max(...values));
  if (largest.length < MIN_STEPS) return notEvaluated(evidence.script ? 'not_applicable' : 'no_script');
  const usual = largest.toSorted((a, b) => a - b)[Math.ceil(largest.length / 2) - 1]!;
  return atMost(usual, MAX_USUAL_JUMP, 'picture_broken');
}

/** Ratio of a source frame's detail to that of its neighbours; more than half of the prompts have one this low. */
function usualDetail(evidence: CaptureEvidence): Outcome {
  const { sourceTimesMs } = evidence.clip;
  const ratios = detailRatios(evidence.clip, neighboursAt(sourceTimesMs)).map((value, i) => ({
    timeMs: sourceTimesMs[i]!,
    value,
  }));
  const least = extremesAtPrompts(evidence, ratios, (values) => Math.min(...values));
  if (least.length < MIN_STEPS) return notEvaluated(evidence.script ? 'not_applicable' : 'no_script');
  const usual = least.toSorted((a, b) => b - a)[Math.ceil(least.length / 2) - 1]!;
  return atLeast(usual, MIN_USUAL_DETAIL, 'picture_broken');
}

function neighboursAt(sourceTimesMs: readonly number[]): number {
  const usualIntervalMs = median(sourceTimesMs.slice(1).map((timeMs, i) => timeMs - sourceTimesMs[i]!));
  const within = Math.round(NEIGHBOURS.withinMs / usualIntervalMs);
  return Math.max(1, Math.min(NEIGHBOURS.atMost, within));
}

/**
 * One value for each prompt after the first, over the moments in its window; prompts without any moment are left out.
 */
function extremesAtPrompts(
  { script }: CaptureEvidence,
  moments: readonly Moment[],
  extreme: (values: readonly number[]) => number,
): number[] {
  return (script?.steps.slice(1) ?? []).flatMap(({ from_ms, to_ms }) => {
    const [fromMs, toMs] = [from_ms - BEFORE_PROMPT_MS, to_ms - BEFORE_PROMPT_MS];
    const own = moments.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs).map(({ value }) => value);
    return own.length === 0 ? [] : [extreme(own)];
  });
}
