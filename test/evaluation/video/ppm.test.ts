// The PPM reader, with its stream cut in every way.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PpmReader } from '../../../src/evaluation/video/ppm.ts';

const picture = fc
  .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      rgb: fc.uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 }),
    }),
  );

describe('PpmReader', () => {
  it('returns every picture, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(picture, { maxLength: 5 }), fc.integer({ min: 1, max: 50 }), (pictures, size) => {
        const bytes = Buffer.concat(
          pictures.flatMap((p) => [Buffer.from(`P6\n${p.width} ${p.height}\n255\n`), Buffer.from(p.rgb)]),
        );
        const reader = new PpmReader(1000);
        const read = [];
        for (let at = 0; at < bytes.length; at += size)
          read.push(...reader.push(bytes.subarray(at, at + size)));
        expect(read).toEqual(pictures);
        expect(reader.midPicture).toBe(false);
      }),
    );
  });

  it('refuses input that is no PPM or too large, before allocating memory for it', () => {
    expect(() => new PpmReader(1000).push(Buffer.from('x'.repeat(64)))).toThrow(RangeError);
    expect(() => new PpmReader(1000).push(Buffer.from('P6\n99999 99999\n255\n'))).toThrow(RangeError);
  });

  it('reports a truncated picture', () => {
    const reader = new PpmReader(1000);
    reader.push(Buffer.from('P6\n2 2\n255\nabc'));
    expect(reader.midPicture).toBe(true);
  });
});
