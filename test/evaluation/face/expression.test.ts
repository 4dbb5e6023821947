// What the expression network gets to see: a dark face is brightened, any other is left as it is.
import { describe, expect, test } from 'vitest';
import { readExpression } from '../../../src/evaluation/face/expression.ts';
import type { FaceMesh } from '../../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import type { Models } from '../../../src/models/load.ts';
import { demoPhoto, readFrame, useModels } from '../picture.ts';

const held = useModels();

function dimmed(frame: Frame, share: number): Frame {
  return { ...frame, rgb: frame.rgb.map((level) => Math.round(level * share)) };
}

/** The network's input for the face under this mesh. */
async function inputFor(frame: Frame, mesh: FaceMesh): Promise<number[]> {
  let seen: number[] = [];
  const { expression } = held.models;
  const run: Models['expression']['run'] = (grey) => {
    seen = Array.from(grey);
    return expression.run(grey);
  };
  await readExpression({ ...held.models, expression: { ...expression, run } }, frame, mesh);
  return seen;
}

/** The network's input for a grey level, 0–255. */
const inputOf = (level: number) => (2 * level) / 255 - 1;
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function demoFace(): Promise<{ photo: Frame; mesh: FaceMesh }> {
  const photo = await readFrame(demoPhoto(6));
  const [seen] = await trackFaces(held.models, [photo]);
  return { photo, mesh: seen!.face! };
}

describe('the crop of the expression network', () => {
  test('shows a dark face about as bright as any, its levels in their order', async () => {
    const { photo, mesh } = await demoFace();
    const usual = await inputFor(photo, mesh);
    const dark = await inputFor(dimmed(photo, 0.25), mesh);
    // The least mean is 80 grey levels, of inputs from −1 to 1.
    expect(mean(dark)).toBeGreaterThan(inputOf(68));
    expect(mean(dark)).toBeLessThan(inputOf(95));
    expect((mean(usual) + 1) / 4 - 1).toBeLessThan(inputOf(60));
    const order = usual.map((_, i) => i).sort((a, b) => usual[a]! - usual[b]!);
    const [darkest, brightest] = [order.slice(0, 400), order.slice(-400)];
    expect(mean(darkest.map((i) => dark[i]!))).toBeLessThan(mean(brightest.map((i) => dark[i]!)) - 0.5);
  });

  test('shows a face in usual light as it is', async () => {
    const { photo, mesh } = await demoFace();
    const usual = await inputFor(photo, mesh);
    const slightly = await inputFor(dimmed(photo, 0.98), mesh);
    // Two per cent darker stays two per cent darker.
    expect(mean(slightly)).toBeGreaterThan(inputOf(80));
    expect((mean(slightly) + 1) / (mean(usual) + 1)).toBeCloseTo(0.98, 2);
  });

  test('stays a picture without any light', async () => {
    const { photo, mesh } = await demoFace();
    const black = await inputFor(dimmed(photo, 0), mesh);
    expect(black.every((value) => value === -1)).toBe(true);
  });
});
