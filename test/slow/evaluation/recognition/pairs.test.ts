// The recogniser on pairs of real people: strangers stay apart, one person's pictures do not.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { trackFaces } from '../../../../src/evaluation/face/track.ts';
import { compareEmbeddings } from '../../../../src/evaluation/recognition/compare.ts';
import { averageEmbeddings, embed } from '../../../../src/evaluation/recognition/embed.ts';
import { operatingPoint } from '../../../../src/evaluation/recognition/operating-point.ts';
import { cosineSimilarity } from '../../../../src/evaluation/recognition/vector.ts';
import type { Frame } from '../../../../src/evaluation/video/frame.ts';
import { readFrame, useModels } from '../../../evaluation/picture.ts';
import { facePath, HAS_FACES } from '../../../support/faces.ts';

const held = useModels();

async function embedMain(frame: Frame): Promise<Float32Array> {
  const [seen] = await trackFaces(held.models, [frame]);
  return embed(held.models.recognisers[0], frame, seen!.face!);
}

const shipped = () => operatingPoint(held.models.recognisers[0].pack, 1e-4);

const oneFrame = (embedding: Float32Array) => ({ embedding, frames: 1 });

describe.skipIf(!HAS_FACES)('pairs of real people (needs FACES_DIR)', () => {
  test('strangers’ cosines centre near 0, one person’s are far above', { timeout: 120_000 }, async () => {
    const text = await readFile(facePath('pairs/pairs.csv'), 'utf8');
    const rows = text.split(/\r?\n/).map((line) => line.split(','));
    const fold = rows.filter(([, , , set, kind]) => set === 'lfw' && kind === 'lfw-view2-fold2');
    const some = (same: string) => fold.filter((row) => row[2] === same).filter((_, i) => i % 15 === 0);
    const mean = async (pairs: readonly string[][]) => {
      let sum = 0;
      for (const [a, b] of pairs) {
        const first = await embedMain(await readFrame(facePath(a!)));
        sum += cosineSimilarity(first, await embedMain(await readFrame(facePath(b!))));
      }
      return sum / pairs.length;
    };
    expect(Math.abs(await mean(some('0')))).toBeLessThan(0.08);
    expect(await mean(some('1'))).toBeGreaterThan(0.65);
  });

  test('webcam frames of two sessions match; another subject’s do not', async () => {
    const text = await readFile(facePath('pairs/pairs.csv'), 'utf8');
    const rows = text.split(/\r?\n/).map((line) => line.split(','));
    const webcam = rows.filter((row) => row[3] === 'nuaa' && row[4]?.startsWith('webcam'));
    const genuine = webcam.find((row) => row[2] === '1')!;
    const impostor =
      webcam.find((row) => row[2] === '0' && row[0] === genuine[0]) ?? webcam.find((row) => row[2] === '0')!;
    const [a, b, c, d] = await Promise.all(
      [genuine[0], genuine[1], impostor[0], impostor[1]].map((file) => readFrame(facePath(file!))),
    );
    const same = compareEmbeddings(oneFrame(await embedMain(a!)), oneFrame(await embedMain(b!)), shipped());
    const other = compareEmbeddings(oneFrame(await embedMain(c!)), oneFrame(await embedMain(d!)), shipped());
    expect(same.match).toBe(true);
    expect(other.match).toBe(false);
    const averaged = averageEmbeddings([await embedMain(a!), await embedMain(b!)]);
    expect(cosineSimilarity(averaged, await embedMain(a!))).toBeGreaterThan(same.cosine);
  });
});
