import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REGION_NAMES } from '../../src/contract/regions.ts';
import {
  type FaceTemplate,
  packedLength,
  packTemplate,
  TEMPLATE_LAYOUT,
  unpackTemplate,
} from '../../src/featid/template.ts';
import { faceTemplates } from './face-templates.ts';

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

test('packing keeps every vector to a cosine above 0.999, and the set of regions', () => {
  fc.assert(
    fc.property(faceTemplates(), (template) => {
      const unpacked = unpackTemplate(template.packId, packTemplate(template));
      expect(unpacked?.packId).toBe(template.packId);
      expect(unpacked?.frames).toBe(template.frames);
      expect(cosine(unpacked!.embedding, template.embedding)).toBeGreaterThan(0.999);
      expect(Object.keys(unpacked!.regions).sort()).toEqual(Object.keys(template.regions).sort());
      for (const name of REGION_NAMES) {
        const [before, after] = [template.regions[name], unpacked!.regions[name]];
        if (before && after) expect(cosine(before, after)).toBeGreaterThan(0.999);
      }
    }),
  );
});

test('the bytes of a small template are fixed', () => {
  const template: FaceTemplate = {
    packId: 'p',
    embedding: Float32Array.of(0.6, -0.8),
    regions: { middle_forehead: Float32Array.of(1, 0), jaw: Float32Array.of(0, 0, -1) },
    frames: 5,
  };
  const room = (values: string) => values.padEnd(2 * 514, '0');
  const regions = REGION_NAMES.map((name) =>
    room({ middle_forehead: '02007f00', jaw: '0300000081' }[name as string] ?? ''),
  );
  expect(packTemplate(template).toString('hex')).toBe(`010502005f81${regions.join('')}`);
});

test('its length reveals nothing about the regions', () => {
  fc.assert(
    fc.property(faceTemplates(), (template) => {
      const none = packTemplate({ ...template, regions: {} });
      expect(packTemplate(template)).toHaveLength(none.length);
    }),
  );
});

test('refuses everything else: other layouts, truncations, additions', () => {
  fc.assert(
    fc.property(faceTemplates(), fc.nat(), (template, at) => {
      const packed = packTemplate(template);
      expect(unpackTemplate('p', packed.subarray(0, at % packed.length))).toBeUndefined();
      expect(unpackTemplate('p', Buffer.concat([packed, Buffer.of(0)]))).toBeUndefined();
      packed[0] = 2;
      expect(unpackTemplate('p', packed)).toBeUndefined();
    }),
  );
});

/** Bytes of the right length, mostly with possible lengths inside, so that only random values are left to refuse. */
function templateBytes(): fc.Arbitrary<Buffer> {
  const lengthUpTo = (most: number) =>
    fc.oneof({ weight: 30, arbitrary: fc.nat(most) }, { weight: 1, arbitrary: fc.nat(0xffff) });
  const embedding = fc.integer({ min: 1, max: 64 });
  const regions = fc.array(lengthUpTo(512), {
    minLength: REGION_NAMES.length,
    maxLength: REGION_NAMES.length,
  });
  // Repeated to the end. Short fillings produce vectors of one value, and of zeros only.
  const filling = fc.uint8Array({ minLength: 1, maxLength: 600 });
  return fc.tuple(embedding, regions, filling).map(([embeddingLength, regionLengths, values]) => {
    const bytes = Buffer.alloc(packedLength(embeddingLength), values);
    bytes[0] = TEMPLATE_LAYOUT;
    bytes.writeUInt16LE(embeddingLength, 2);
    regionLengths.forEach((length, region) => {
      bytes.writeUInt16LE(length, 4 + embeddingLength + region * (2 + 512));
    });
    return bytes;
  });
}

test('random bytes unpack to unit vectors or not at all', () => {
  let unpacked = 0;
  fc.assert(
    fc.property(templateBytes(), (bytes) => {
      const template = unpackTemplate('p', bytes);
      if (!template) return;
      unpacked++;
      for (const vector of [template.embedding, ...Object.values(template.regions)]) {
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }
    }),
  );
  expect(unpacked).toBeGreaterThan(0);
});

test.each([
  [[]],
  [[0, 0]],
  [[Number.NaN, 1]],
  [[Number.POSITIVE_INFINITY]],
])('packing %j throws', (values) => {
  const template = { packId: 'p', embedding: Float32Array.from(values), regions: {}, frames: 1 };
  expect(() => packTemplate(template)).toThrow(RangeError);
});
