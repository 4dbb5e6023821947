// How many returned scores it takes to rebuild a template, for a client that holds the FeatureID, an API key, and a way
// to present any face it likes. This is the strongest case: it chooses the probe's embedding itself, as if there were
// no camera, no liveness check and no face in between. Real attackers have to render a face for each query and get it
// accepted.

import { comparisonScore } from '../../src/evaluation/recognition/compare.ts';
import type { OperatingPoint } from '../../src/evaluation/recognition/operating-point.ts';
import { thresholdFor } from '../../src/evaluation/recognition/thresholds.ts';
import { cosineSimilarity, normalise } from '../../src/evaluation/recognition/vector.ts';
import { seededRandom } from '../../src/lab/random.ts';
import type { Section } from '../report.ts';
import type { Face } from './lfw-faces.ts';

const TARGETS = 20;
/** Strangers' faces from which an attack may start; each costs a query. */
const STARTS = 50;
const BUDGETS = [50, 100, 193, 500, 1000, 3000] as const;
/**
 * Guesses that the limit allows: five before each of seven pauses of 1, 2, 4 … 60 minutes, then four in every 15
 * minutes.
 */
const FREE_GUESSES = 35;
const GUESSES_PER_DAY = 4 * 4 * 24;

/** The score that a client sees for a probe; the attack knows nothing else about the target. */
type Oracle = (probe: Float32Array) => number;

interface Attack {
  readonly title: string;
  readonly rounded: boolean;
  readonly run: (oracle: Oracle, budget: number, known: Known) => Float32Array;
}

interface Known {
  readonly starts: readonly Float32Array[];
  readonly at: OperatingPoint;
  readonly random: () => number;
}

const ATTACKS: readonly Attack[] = [
  { title: 'linear equations', rounded: false, run: solveLinearly },
  { title: 'linear equations', rounded: true, run: solveLinearly },
  { title: 'hill climbing', rounded: false, run: climb },
  { title: 'hill climbing', rounded: true, run: climb },
];

/** Median cosine between the target and what was rebuilt, and how often the latter would be accepted. */
export function measureRecovery(faces: readonly Face[], at: OperatingPoint): Section {
  const random = seededRandom(5);
  const targets = Array.from({ length: TARGETS }, () => faces[Math.floor(random() * faces.length)]!);
  const accepted = thresholdFor(at, 1, 1);
  const rows = ATTACKS.map((attack) => {
    const cells = BUDGETS.map((budget) => {
      const cosines = targets.map((target) => {
        const strangers = faces.filter((face) => face.person !== target.person);
        const starts = Array.from(
          { length: STARTS },
          () => strangers[Math.floor(random() * strangers.length)]!.embedding,
        );
        const oracle = oracleOf(target.template.embedding, at, attack.rounded);
        const rebuilt = attack.run(oracle, budget, { starts, at, random });
        return cosineSimilarity(normalise(rebuilt), target.template.embedding);
      });
      cosines.sort((a, b) => a - b);
      const share = cosines.filter((cosine) => cosine >= accepted).length / TARGETS;
      return `${cosines[TARGETS >> 1]!.toFixed(2)} (${(100 * share).toFixed(0)} %)`;
    });
    return [attack.title, attack.rounded ? 'two decimals' : 'as computed', ...cells];
  });
  const days = BUDGETS.map((budget) => Math.max(0, (budget - FREE_GUESSES) / GUESSES_PER_DAY));
  rows.push(['', 'days at the guessing limit', ...days.map((value) => value.toFixed(1))]);
  return {
    title: 'Rebuilding a template from scores',
    method: `${TARGETS} faces of LFW; the attacker chooses the probe's embedding itself and sees one score per query. Median cosine between the rebuilt template and the target, and in brackets how often the former would be accepted (cosine ≥ ${accepted.toFixed(3)}).`,
    columns: ['attack', 'scores', ...BUDGETS.map((budget) => `${budget} queries`)],
    rows,
    notes: [
      'The limit counts challenges that were live and matched nobody. A client that includes a match in the same challenge, or lets liveness fail, is not counted: against whoever holds the API key and the string, only the rounding remains.',
    ],
  };
}

function oracleOf(target: Float32Array, at: OperatingPoint, rounded: boolean): Oracle {
  return (probe) => {
    const score = comparisonScore(cosineSimilarity(probe, target), thresholdFor(at, 1, 1), at.scoreSlope);
    if (!rounded) return score;
    // Rounded as in src/challenge/closing/settle-judgement.ts.
    const shown = Math.round(score * 100) / 100;
    return score >= 0.5 ? Math.max(shown, 0.5) : Math.min(shown, 0.49);
  };
}

/** Every score is an equation for the target: cosine = threshold + logit / slope. Solved by conjugate gradients. */
function solveLinearly(oracle: Oracle, budget: number, { starts, at, random }: Known): Float32Array {
  const size = starts[0]!.length;
  const probes: Float32Array[] = [];
  const values: number[] = [];
  for (let query = 0; query < budget; query++) {
    const probe = starts[query] ?? randomUnit(size, random);
    // A rounded 0 only says that the cosine is small, so take it as 0.
    const score = Math.min(0.995, Math.max(oracle(probe), 1e-9));
    const cosine = thresholdFor(at, 1, 1) + Math.log(score / (1 - score)) / at.scoreSlope;
    probes.push(probe);
    values.push(score <= 1e-9 ? 0 : cosine);
  }
  return leastSquares(probes, values, size);
}

/**
 * A (1+1) evolution strategy with the one-fifth rule, starting from the best of some strangers. Equal scores are
 * accepted too.
 */
function climb(oracle: Oracle, budget: number, { starts, random }: Known): Float32Array {
  let best = starts[0]!;
  let bestScore = Number.NEGATIVE_INFINITY;
  const first = Math.min(STARTS, Math.ceil(budget / 2));
  for (const start of starts.slice(0, first)) {
    const score = oracle(start);
    if (score > bestScore) [best, bestScore] = [start, score];
  }
  let step = 0.5;
  for (let query = first; query < budget; query++) {
    const direction = randomUnit(best.length, random);
    const tried = normalise(best.map((value, index) => value + step * direction[index]!));
    const score = oracle(tried);
    step = Math.min(1, Math.max(0.02, step * (score > bestScore ? 1.2 : 0.955)));
    if (score >= bestScore) [best, bestScore] = [tried, score];
  }
  return best;
}

/** argmin Σ (probe · x − value)², by conjugate gradients on the normal equations with a little damping. */
function leastSquares(
  probes: readonly Float32Array[],
  values: readonly number[],
  size: number,
): Float32Array {
  const damping = 1e-6;
  const apply = (x: Float64Array): Float64Array => {
    const out = x.map((value) => damping * value);
    for (const probe of probes) {
      let product = 0;
      for (let i = 0; i < size; i++) product += probe[i]! * x[i]!;
      for (let i = 0; i < size; i++) out[i] = out[i]! + product * probe[i]!;
    }
    return out;
  };
  const x = new Float64Array(size);
  const residual = new Float64Array(size);
  for (const [index, probe] of probes.entries())
    for (let i = 0; i < size; i++) residual[i] = residual[i]! + values[index]! * probe[i]!;
  let direction = residual.slice();
  let norm = dot(residual, residual);
  for (let round = 0; round < 2 * size && norm > 1e-18; round++) {
    const image = apply(direction);
    const length = norm / dot(direction, image);
    for (let i = 0; i < size; i++) {
      x[i] = x[i]! + length * direction[i]!;
      residual[i] = residual[i]! - length * image[i]!;
    }
    const next = dot(residual, residual);
    direction = residual.map((value, i) => value + (next / norm) * direction[i]!);
    norm = next;
  }
  return Float32Array.from(x);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function randomUnit(size: number, random: () => number): Float32Array {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return normalise(Float32Array.from({ length: size }, normal));
}
