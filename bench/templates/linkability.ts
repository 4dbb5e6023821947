// Measures whether two rows, or two strings, reveal that they are of one face: the global measure D_sys of
// Gomez-Barrero, Galbally, Rathgeb and Busch, «General Framework to Evaluate Unlinkability in Biometric Template
// Protection Systems», 2018.
import { randomBytes } from 'node:crypto';
import { decodeToken } from '../../src/base/checked-token.ts';
import { cosineSimilarity } from '../../src/evaluation/recognition/vector.ts';
import { createFeatids } from '../../src/featid/featids.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import type { Section } from '../report.ts';
import type { Face } from './lfw-faces.ts';

const BINS = 50;
const SHUFFLES = 20;
const STRANGERS_PER_GENUINE = 5;
const FORMAT = { prefix: 'lfid1_', partBytes: [16, 32] };
const ACCOUNT = 'acct_bench';

/** What an attacker holds of one FeatureID. */
interface Exposed {
  readonly person: number;
  readonly row: Buffer;
  readonly string: Buffer;
  readonly embedding: Float32Array;
}

interface Comparison {
  readonly title: string;
  readonly score: (a: Exposed, b: Exposed) => number;
}

/** Possible ways to link: each is a guess at what an attacker would compute from two of them. */
const COMPARISONS: readonly Comparison[] = [
  { title: 'two rows: equal bits', score: (a, b) => equalBits(a.row, b.row) },
  { title: 'two rows: correlation of bytes', score: (a, b) => correlation(a.row, b.row) },
  { title: 'two rows: difference in length', score: (a, b) => -Math.abs(a.row.length - b.row.length) },
  { title: 'two strings: equal bits', score: (a, b) => equalBits(a.string, b.string) },
  { title: 'a row and a string: correlation', score: (a, b) => correlation(a.row, b.string) },
  {
    title: 'for comparison, two embeddings without protection: cosine',
    score: (a, b) => cosineSimilarity(a.embedding, b.embedding),
  },
];

/** D_sys of each comparison, and of the same with shuffled labels: what chance alone yields on as many pairs. */
export async function measureLinkability(faces: readonly Face[]): Promise<Section> {
  const exposed = await expose(faces);
  const pairs = drawPairs(exposed);
  const rows = COMPARISONS.map(({ title, score }) => {
    const scores = pairs.map(({ a, b }) => score(a, b));
    const labels = pairs.map(({ mated }) => mated);
    const own = systemLinkability(scores, labels);
    const nulls = Array.from({ length: SHUFFLES }, () => systemLinkability(scores, shuffled(labels)));
    const mean = nulls.reduce((sum, value) => sum + value, 0) / nulls.length;
    const spread = `${Math.min(...nulls).toFixed(4)}–${Math.max(...nulls).toFixed(4)}`;
    return [title, own.toFixed(4), mean.toFixed(4), spread, (own - mean).toFixed(4)];
  });
  const mated = pairs.filter((pair) => pair.mated).length;
  return {
    title: 'Unlinkability: D_sys',
    method: `Every face of LFW enrolled once by the service's own code under one account; ${mated} mated pairs, ${pairs.length - mated} non-mated pairs; ${BINS} bins. 0 is unlinkable, 1 fully linkable. Aim: within 0.02 of the shuffled labels.`,
    columns: ['what is compared', 'D_sys', 'labels shuffled (mean)', 'shuffled, range', 'difference'],
    rows,
  };
}

async function expose(faces: readonly Face[]): Promise<Exposed[]> {
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  const wrapped = await masterKeys.wrap(ACCOUNT, randomBytes(32));
  const featids = createFeatids({
    keys: createAccountKeys({ masterKeys, store: { readWrappedKey: async () => wrapped } }),
    // Creating a FeatureID needs no database: the row is inserted in the transaction that completes a challenge.
    store: {
      findMany: async () => [],
      recordUse: async () => {},
      revoke: async () => false,
      unlock: async () => {},
    },
    region: 'au',
    usablePacks: [],
  });
  return Promise.all(
    faces.map(async ({ person, embedding, template }) => {
      const { featid, row } = await featids.create({ accountId: ACCOUNT, challengeId: null, template });
      const string = Buffer.concat(decodeToken(FORMAT, featid)!);
      return { person, embedding, string, row: Buffer.concat([row.sealedTemplate, row.keyCheck]) };
    }),
  );
}

function drawPairs(exposed: readonly Exposed[]): { a: Exposed; b: Exposed; mated: boolean }[] {
  const people = new Map<number, Exposed[]>();
  for (const one of exposed) people.set(one.person, [...(people.get(one.person) ?? []), one]);
  const mated = [...people.values()].flatMap((own) =>
    own.flatMap((a, index) => own.slice(0, index).map((b) => ({ a, b, mated: true }))),
  );
  const strangers: typeof mated = [];
  while (strangers.length < STRANGERS_PER_GENUINE * mated.length) {
    const [a, b] = [0, 1].map(() => exposed[Math.floor(Math.random() * exposed.length)]!);
    if (a!.person !== b!.person) strangers.push({ a: a!, b: b!, mated: false });
  }
  return [...mated, ...strangers];
}

/** D_sys with ω = 1: the mean over mated scores of D(s) = 2·LR/(1 + LR) − 1 where LR > 1, else 0. */
function systemLinkability(scores: readonly number[], mated: readonly boolean[]): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    low = Math.min(low, score);
    high = Math.max(high, score);
  }
  const counts = { mated: new Float64Array(BINS), stranger: new Float64Array(BINS) };
  let [matedCount, strangerCount] = [0, 0];
  for (const [index, score] of scores.entries()) {
    const bin = high > low ? Math.min(BINS - 1, Math.floor((BINS * (score - low)) / (high - low))) : 0;
    if (mated[index]) {
      counts.mated[bin]!++;
      matedCount++;
    } else {
      counts.stranger[bin]!++;
      strangerCount++;
    }
  }
  let sum = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const own = counts.mated[bin]! / matedCount;
    const other = counts.stranger[bin]! / strangerCount;
    if (own > other) sum += own * ((2 * own) / (own + other) - 1);
  }
  return sum;
}

function shuffled<T>(values: readonly T[]): T[] {
  const result = [...values];
  for (let at = result.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [result[at], result[other]] = [result[other]!, result[at]!];
  }
  return result;
}

function equalBits(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  let different = 0;
  for (let at = 0; at < length; at++) {
    let bits = a[at]! ^ b[at]!;
    for (; bits; bits &= bits - 1) different++;
  }
  return 1 - different / (8 * length);
}

function correlation(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  let [sum, squaresA, squaresB] = [0, 0, 0];
  for (let at = 0; at < length; at++) {
    const [x, y] = [a[at]! - 127.5, b[at]! - 127.5];
    sum += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return sum / Math.sqrt(squaresA * squaresB);
}
