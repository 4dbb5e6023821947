// Fits the contents of the fusion table, weights of soft cues and thresholds of single cues, on one half of the
// subjects. Kept simple: few cues, a few hundred presentations.
import type { Cue } from '../src/evaluation/liveness/cue.ts';

/** One presentation as the fit sees it. */
export interface Sample {
  readonly subject: string;
  readonly attack: boolean;
  readonly cues: readonly Cue[];
}

/** What a soft cue adds to the evidence of an attack. */
export interface SoftWeight {
  readonly cue: string;
  /** At least 0. */
  readonly failed: number;
  /** At most 0. */
  readonly passed: number;
}

const STEPS = 4000;
const RATE = 0.05;
/** Keeps a cue that only half a dozen presentations show from getting much weight. */
const RIDGE = 0.01;
/** A soft cue alone never decides; that is what gates are for. */
const MAX_WEIGHT = 0.9;

/** The half that a subject belongs to: by a hash, so that further footage of a person stays in the same half. */
export function halfOf(subject: string): 'fit' | 'test' {
  let hash = 0x811c9dc5;
  for (let i = 0; i < subject.length; i++) hash = Math.imul(hash ^ subject.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 15)) & 1) === 0 ? 'fit' : 'test';
}

/**
 * Logistic regression with signs enforced by projection: a failed cue never counts as bona fide, a passed one never as
 * an attack. Both classes have the same weight. The weights are scaled so that evidence above 1 is an attack, and
 * clamped to ±MAX_WEIGHT.
 */
export function fitWeights(samples: readonly Sample[], soft: readonly string[]): SoftWeight[] {
  const rows = samples.map(({ cues, attack }) => ({ x: featuresOf(cues, soft), y: attack ? 1 : 0 }));
  const attacks = rows.filter(({ y }) => y === 1).length;
  const share = { 1: 0.5 / Math.max(1, attacks), 0: 0.5 / Math.max(1, rows.length - attacks) };
  const weights = new Float64Array(2 * soft.length);
  let bias = 0;
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight);
    let biasGradient = 0;
    for (const { x, y } of rows) {
      const z = x.reduce((sum, value, i) => sum + value * weights[i]!, bias);
      const error = (1 / (1 + Math.exp(-z)) - y) * share[y as 0 | 1];
      for (const [i, value] of x.entries()) gradient[i]! += error * value;
      biasGradient += error;
    }
    for (const [i, slope] of gradient.entries()) {
      const moved = weights[i]! - RATE * 20 * slope;
      weights[i] = i % 2 === 0 ? Math.max(0, moved) : Math.min(0, moved);
    }
    // Without any evidence a capture is not an attack, so the bias stays below 0.
    bias = Math.min(-0.5, bias - RATE * 20 * biasGradient);
  }
  return soft.map((cue, i) => ({
    cue,
    failed: Math.min(MAX_WEIGHT, weights[2 * i]! / -bias),
    passed: Math.max(-MAX_WEIGHT, weights[2 * i + 1]! / -bias),
  }));
}

/** The fused sum of the cues with these weights. */
export function evidenceOfAttack(cues: readonly Cue[], weights: readonly SoftWeight[]): number {
  return weights.reduce((sum, weight) => {
    const status = cues.find(({ cue }) => cue === weight.cue)?.status;
    return sum + (status === 'failed' ? weight.failed : status === 'passed' ? weight.passed : 0);
  }, 0);
}

function featuresOf(cues: readonly Cue[], soft: readonly string[]): number[] {
  return soft.flatMap((name) => {
    const status = cues.find(({ cue }) => cue === name)?.status;
    return [Number(status === 'failed'), Number(status === 'passed')];
  });
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
