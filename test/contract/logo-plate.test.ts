import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEAST_LOGO_CONTRAST, plateOf } from '../../src/contract/logo-plate.ts';

type Rgba = readonly [number, number, number, number];
const CLEAR: Rgba = [0, 0, 0, 0];
const WHITE: Rgba = [255, 255, 255, 255];
/** Two greys whose contrasts to white have the limit between them. */
const GREYS: Record<'paler' | 'darker', Rgba> = {
  paler: [214, 214, 214, 255],
  darker: [207, 207, 207, 255],
};
const SIDE = 12;

/** A square logo: a block of one colour in the middle of a ground. */
const logo = (ink: Rgba, ground: Rgba = CLEAR) =>
  plateOf(
    Array.from({ length: SIDE * SIDE }, (_, index) => {
      const [x, y] = [index % SIDE, Math.floor(index / SIDE)];
      return x > 2 && x < 9 && y > 2 && y < 9 ? ink : ground;
    }).flat(),
    SIDE,
    SIDE,
  );

describe('a logo', () => {
  it.each([
    ['white lettering', logo([255, 255, 255, 255]), 'dark'],
    ['pale lettering', logo([220, 235, 255, 255]), 'dark'],
    ['black lettering', logo([0, 0, 0, 255]), 'light'],
    ['blue lettering', logo([10, 102, 194, 255]), 'light'],
    ['a picture with a ground of its own', logo([10, 102, 194, 255], [255, 255, 255, 255]), 'none'],
    ['a coloured block', logo([10, 102, 194, 255], [10, 102, 194, 255]), 'none'],
  ])('of %s is seen on the plate of its luminance', (_name, { plate, contrast }, wanted) => {
    expect(plate).toBe(wanted);
    expect(contrast).toBeGreaterThan(2);
  });

  it.each([
    ['nothing at all', logo(CLEAR)],
    ['a breath of white', logo([255, 255, 255, 20])],
    ['a breath of black', logo([0, 0, 0, 20])],
    ['white on white', logo([255, 255, 255, 255], [255, 255, 255, 255])],
  ])('of %s is not seen', (_name, { contrast }) => {
    expect(contrast).toBeLessThan(LEAST_LOGO_CONTRAST);
  });

  // Whatever moves the limit by a tenth moves one of each pair to its other side.
  it.each([
    ['black that shows the plate through', logo([0, 0, 0, 40]), logo([0, 0, 0, 48])],
    ['white that shows the plate through', logo([255, 255, 255, 32]), logo([255, 255, 255, 37])],
    ['grey on white', logo(GREYS.paler, WHITE), logo(GREYS.darker, WHITE)],
  ])('of %s is seen from the limit on', (_name, below, above) => {
    expect(below.contrast).toBeGreaterThan(1.42);
    expect(below.contrast).toBeLessThan(LEAST_LOGO_CONTRAST);
    expect(above.contrast).toBeGreaterThan(LEAST_LOGO_CONTRAST);
    expect(above.contrast).toBeLessThan(1.57);
  });

  it('of one colour without transparency is always seen', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        expect(logo([red, green, blue, 255]).contrast).toBeGreaterThan(4);
      }),
    );
  });
});
