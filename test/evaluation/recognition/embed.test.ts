// Embeddings of real photographs: one person against others, size and mirror image, and a regression test of the broken
// graph.
import { expect, test } from 'vitest';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import { compareEmbeddings } from '../../../src/evaluation/recognition/compare.ts';
import { embed } from '../../../src/evaluation/recognition/embed.ts';
import { operatingPoint } from '../../../src/evaluation/recognition/operating-point.ts';
import { cosineSimilarity } from '../../../src/evaluation/recognition/vector.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import { demoPhoto, readFrame, useModels } from '../picture.ts';

const held = useModels();

async function embedMain(frame: Frame): Promise<Float32Array> {
  const [seen] = await trackFaces(held.models, [frame]);
  return embed(held.models.recognisers[0], frame, seen!.face!);
}

const shipped = () => operatingPoint(held.models.recognisers[0].pack, 1e-4);

test('an embedding has the pack’s size and unit norm', async () => {
  const embedding = await embedMain(await readFrame(demoPhoto(6), { portrait: 'a' }));
  expect(embedding).toHaveLength(192);
  expect(cosineSimilarity(embedding, embedding)).toBeCloseTo(1, 5);
});

test('a smaller or mirrored copy of a photograph matches it', async () => {
  const original = await embedMain(await readFrame(demoPhoto(6), { portrait: 'a' }));
  const smaller = await embedMain(await readFrame(demoPhoto(6), { portrait: 'a', width: 300 }));
  const mirrored = await embedMain(await readFrame(demoPhoto(6), { portrait: 'a', mirror: true }));
  expect(cosineSimilarity(original, smaller)).toBeGreaterThan(0.9);
  expect(cosineSimilarity(original, mirrored)).toBeGreaterThan(0.9);
});

const oneFrame = (embedding: Float32Array) => ({ embedding, frames: 1 });

test('two people in one photograph do not match', async () => {
  const a = await embedMain(await readFrame(demoPhoto(6), { portrait: 'a' }));
  const b = await embedMain(await readFrame(demoPhoto(6), { portrait: 'b' }));
  expect(compareEmbeddings(oneFrame(a), oneFrame(b), shipped()).score).toBeLessThan(0.1);
});
