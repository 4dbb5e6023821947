// What quantising to int8 costs: FNMR at fixed FMR, before and after packing.
import { cosineSimilarity } from '../../src/evaluation/recognition/vector.ts';
import { matchRate, thresholdAtFmr } from '../../src/lab/error-rates.ts';
import { allStrangers, type Sample, scoreSet } from '../../src/lab/score-set.ts';
import type { Section } from '../report.ts';
import type { Face } from './lfw-faces.ts';

const FMRS = [1e-2, 1e-3, 1e-4, 1e-5];

/**
 * As in the service, the reference is quantised and the probe is not. Impostor pairs are all pairs of strangers; both
 * columns use the threshold that gives the FMR on their own scores.
 */
export function measurePackingLoss(faces: readonly Face[]): Section {
  const plain = scoresOf(faces, (face) => face.embedding);
  const packed = scoresOf(faces, (face) => face.template.embedding);
  const rows = FMRS.map((fmr) => {
    const [before, after] = [plain, packed].map(({ genuine, impostor }) => {
      const threshold = thresholdAtFmr(impostor, fmr);
      return { fnmr: 1 - matchRate(genuine, threshold), threshold };
    });
    const loss = 100 * (after!.fnmr - before!.fnmr);
    return [
      fmr.toExponential(0),
      `${(100 * before!.fnmr).toFixed(2)} %`,
      `${(100 * after!.fnmr).toFixed(2)} %`,
      `${loss >= 0 ? '+' : ''}${loss.toFixed(2)}`,
      (after!.threshold - before!.threshold).toFixed(4),
    ];
  });
  const cosines = faces.map((face) => cosineSimilarity(face.embedding, face.template.embedding));
  return {
    title: 'Packing to int8',
    method: `LFW, ${faces.length} photographs: ${plain.genuine.count} genuine pairs (every two of one person), ${plain.impostor.count.toLocaleString('en')} impostor pairs. Aim: a loss of at most 0.2 points at FMR 1e-4.`,
    columns: ['FMR', 'FNMR float32', 'FNMR int8 reference', 'loss, points', 'threshold moves by'],
    rows,
    notes: [
      `The lowest cosine between an embedding and its packed form is ${Math.min(...cosines).toFixed(5)}.`,
      'The probe is not quantised: only one of the two vectors of a comparison is.',
    ],
  };
}

function scoresOf(faces: readonly Face[], referenceOf: (face: Face) => Float32Array) {
  const people = new Map<number, Face[]>();
  for (const face of faces) people.set(face.person, [...(people.get(face.person) ?? []), face]);
  const genuine = [...people.values()].flatMap((own) =>
    own.flatMap((probe, index) =>
      own.slice(0, index).map((reference) => ({
        score: cosineSimilarity(probe.embedding, referenceOf(reference)),
        first: probe.person,
        second: probe.person,
      })),
    ),
  );
  const samples: Sample[] = faces.map((face) => ({ person: face.person, vector: referenceOf(face) }));
  return { genuine: scoreSet(genuine), impostor: allStrangers(samples) };
}
