// Regions: what is visible, what is left out, and that covering a region lowers its own score most.
import { beforeAll, describe, expect, test } from 'vitest';
import { REGION_NAMES, type RegionName } from '../../../src/contract/regions.ts';
import type { ObservedFace } from '../../../src/evaluation/face/observation.ts';
import { trackFaces } from '../../../src/evaluation/face/track.ts';
import { operatingPoint } from '../../../src/evaluation/recognition/operating-point.ts';
import { cosineSimilarity } from '../../../src/evaluation/recognition/vector.ts';
import { compareRegions, regionStrengths } from '../../../src/evaluation/regions/compare.ts';
import { DESCRIPTOR_SIZE, describeRegions } from '../../../src/evaluation/regions/describe.ts';
import { meanDescriptors } from '../../../src/evaluation/regions/mean-descriptors.ts';
import { regionAlignment, regionBox, visibleRegions } from '../../../src/evaluation/regions/placement.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';
import { demoPhoto, readFrame, useModels } from '../picture.ts';

const held = useModels();
let photo: Frame;
let face: ObservedFace;

beforeAll(async () => {
  photo = await readFrame(demoPhoto(6), { portrait: 'a' });
  face = await mainFace(photo);
});

const thresholds = () => operatingPoint(held.models.recognisers[0].pack, 1e-4).regions;

async function mainFace(frame: Frame): Promise<ObservedFace> {
  const [seen] = await trackFaces(held.models, [frame]);
  return seen!.face!;
}

test('there are means for every region', () => {
  expect(meanDescriptors()).toHaveLength(REGION_NAMES.length * DESCRIPTOR_SIZE);
});

test('a frontal face has twelve descriptors of unit norm', async () => {
  const { descriptors: regions, typicality } = await describeRegions(held.models, photo, face);
  expect(Object.keys(regions).sort()).toEqual([...REGION_NAMES].sort());
  expect(typicality).toBeGreaterThan(0.88);
  for (const descriptor of Object.values(regions)) {
    expect(descriptor).toHaveLength(DESCRIPTOR_SIZE);
    expect(cosineSimilarity(descriptor, descriptor)).toBeCloseTo(1, 5);
  }
});

test('the same face in a smaller picture passes in every region', async () => {
  const smaller = await readFrame(demoPhoto(6), { portrait: 'a', width: 300 });
  const again = await describeRegions(held.models, smaller, await mainFace(smaller));
  const first = await describeRegions(held.models, photo, face);
  const results = compareRegions(first.descriptors, again.descriptors, thresholds(), true);
  expect(Object.keys(results)).toHaveLength(12);
  expect(new Set(Object.values(results))).toEqual(new Set(['Pass']));
});

test('a region missing on one side is left out, not failed', () => {
  const one = { nose: Float32Array.of(1, 0), mouth: Float32Array.of(1, 0) };
  const other = { mouth: Float32Array.of(0, 1), jaw: Float32Array.of(0, 1) };
  expect(compareRegions(one, other, thresholds(), true)).toEqual({ mouth: 'Fail' });
});

test("the decision on the whole face chooses a region's threshold", () => {
  const halfAlike = { nose: Float32Array.of(0.4, Math.sqrt(1 - 0.16)) };
  const nose = { whenPassed: 0.3, whenFailed: 0.5 };
  const read = (match: boolean) =>
    compareRegions(halfAlike, { nose: Float32Array.of(1, 0) }, { ...thresholds(), nose }, match);
  expect([read(true), read(false)]).toEqual([{ nose: 'Pass' }, { nose: 'Fail' }]);
});

test("a region's strength runs from one threshold to the other, and does not depend on the decision", () => {
  const nose = { whenPassed: 0.3, whenFailed: 0.5 };
  const strengthAt = (cosine: number) =>
    regionStrengths(
      { nose: Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2)), jaw: Float32Array.of(1, 0) },
      { nose: Float32Array.of(1, 0) },
      { ...thresholds(), nose },
    );
  expect([-0.2, 0.3, 0.35, 0.5, 0.9].map(strengthAt)).toEqual(
    [0, 0, 0.25, 1, 1].map((strength) => ({ nose: strength })),
  );
});

test('leaves out what is outside the frame', () => {
  const cut: Frame = { ...photo, height: Math.round(face.box.y + 0.6 * face.box.height) };
  const seen = visibleRegions(cut, face.landmarks);
  expect(seen).toContain('left_eye');
  expect(seen).not.toContain('jaw');
});

test('leaves out the far side of a turned head, and everything of a profile', () => {
  const turned = (shift: number) => {
    const landmarks = face.landmarks.slice();
    // The nose tip moved towards the person's left ear.
    landmarks[3] = landmarks[3]! + shift * (landmarks[454 * 3]! - landmarks[3]!);
    return visibleRegions(photo, landmarks);
  };
  expect(turned(0.5)).toContain('right_cheek');
  expect(turned(0.5)).not.toContain('left_cheek');
  expect(turned(0.98)).toEqual([]);
});

describe('locality', () => {
  const distinct: RegionName[] = ['left_eye', 'right_eye', 'left_cheek', 'right_cheek', 'middle_forehead'];

  test.each(distinct)('noise over the %s lowers its score most', async (name) => {
    const { descriptors: before } = await describeRegions(held.models, photo, face);
    const covered = { ...photo, rgb: photo.rgb.slice() };
    cover(covered, face.landmarks, name);
    const { descriptors: after } = await describeRegions(held.models, covered, face);
    const scores = REGION_NAMES.map((region) => cosineSimilarity(before[region]!, after[region]!));
    const lowest = REGION_NAMES[scores.indexOf(Math.min(...scores))];
    expect(lowest).toBe(name);
  });
});

/** Writes a checkerboard over a region's box. */
function cover(frame: Frame, landmarks: Float32Array, name: RegionName): void {
  const map = regionAlignment(landmarks);
  const { left, top, right, bottom } = regionBox(landmarks, name, map);
  for (let v = top; v < bottom; v += 0.25)
    for (let u = left; u < right; u += 0.25) {
      const x = Math.floor(map.a * u - map.b * v + map.tx);
      const y = Math.floor(map.b * u + map.a * v + map.ty);
      const value = (Math.floor(u / 6) + Math.floor(v / 6)) % 2 === 0 ? 230 : 30;
      (frame.rgb as Uint8Array).fill(value, (y * frame.width + x) * 3, (y * frame.width + x) * 3 + 3);
    }
}
