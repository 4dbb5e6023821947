// Templates of the recogniser's sizes, with random values and random regions missing.
import fc from 'fast-check';
import { REGION_NAMES } from '../../src/contract/regions.ts';
import type { FaceTemplate } from '../../src/featid/template.ts';

/** A unit vector with normally distributed components, from a seed. */
export function unitVector(length: number, seed: number): Float32Array {
  let state = seed | 1;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const values = Float32Array.from(
    { length },
    () => Math.sqrt(-2 * Math.log(next())) * Math.cos(6.2832 * next()),
  );
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

export function faceTemplates(): fc.Arbitrary<FaceTemplate> {
  return fc
    .tuple(fc.nat(), fc.subarray([...REGION_NAMES]), fc.option(fc.integer({ min: 1, max: 255 })))
    .map(([seed, names, frames]) => ({
      frames,
      packId: 'mobilefacenet-1',
      embedding: unitVector(192, seed),
      regions: Object.fromEntries(names.map((name, index) => [name, unitVector(96, seed + index + 1)])),
    }));
}
