// Fits the thresholds of single cues on one half of the subjects.
import type { Cue } from '../src/evaluation/liveness/cue.ts';

/** One presentation as the fit sees it. */
export interface Sample {
  readonly subject: string;
  readonly attack: boolean;
  readonly cues: readonly Cue[];
}

/** The half that a subject belongs to: by a hash, so that further footage of a person stays in the same half. */
export function halfOf(subject: string): 'fit' | 'test' {
  let hash = 0x811c9dc5;
  for (let i = 0; i < subject.length; i++) hash = Math.imul(hash ^ subject.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 15)) & 1) === 0 ? 'fit' : 'test';
}

/** How well one cue separates attacks from bona fide presentations, at the threshold in use and at a fitted one. */
export interface CueSeparation {
  readonly cue: string;
  readonly inUse: number;
  /** The strictest threshold that at most a share of `allowed` of the bona fide presentations fails. */
  readonly fitted: number;
  readonly bonaFide: readonly number[];
  readonly attacks: readonly number[];
  /** Whether a value below the threshold fails. */
  readonly least: boolean;
}

/** The values of one cue, and the threshold that a share of `allowed` of the bona fide presentations may fail. */
export function separate(samples: readonly Sample[], cue: string, allowed: number): CueSeparation | null {
  const values = (attack: boolean) =>
    samples
      .filter((sample) => sample.attack === attack)
      .flatMap((sample) => evaluated(sample, cue)?.value ?? []);
  const known = samples.flatMap((sample) => evaluated(sample, cue) ?? []);
  const bonaFide = values(false).sort((a, b) => a - b);
  const telling = known.find(({ value, threshold }) => value !== threshold);
  if (!telling || bonaFide.length === 0) return null;
  const least = telling.value > telling.threshold === (telling.status === 'passed');
  const at = Math.floor(allowed * bonaFide.length);
  const fitted = least ? bonaFide[at]! : bonaFide.at(-1 - at)!;
  return { cue, inUse: telling.threshold, fitted, bonaFide, attacks: values(true), least };
}

/** Share of values that fail at a threshold; NaN without values. */
export function failing(values: readonly number[], threshold: number, least: boolean): number {
  return values.filter((value) => (least ? value < threshold : value > threshold)).length / values.length;
}

function evaluated({ cues }: Sample, name: string) {
  const cue = cues.find((one) => one.cue === name);
  return cue && cue.status !== 'notEvaluated' ? cue : null;
}
