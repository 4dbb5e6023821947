// The upright crop of PAD packs that require the face's box with its aspect ratio.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boxInside, cropRectangle } from '../../../src/evaluation/pad/crop-rectangle.ts';

it('the box keeps its aspect ratio and never leaves the frame', () => {
  const extent = fc.integer({ min: 16, max: 2000 });
  const place = fc.integer({ min: -500, max: 2500 });
  const side = fc.integer({ min: 1, max: 900 });
  const scale = fc.double({ min: 0.5, max: 10, noNaN: true });
  fc.assert(
    fc.property(extent, extent, place, place, side, side, scale, (width, height, x, y, w, h, times) => {
      const box = boxInside({ width, height }, { x, y, width: w, height: h }, times);
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.top).toBeGreaterThanOrEqual(0);
      expect(box.left + box.width).toBeLessThanOrEqual(width + 1e-6);
      expect(box.top + box.height).toBeLessThanOrEqual(height + 1e-6);
      expect(box.width / box.height).toBeCloseTo(w / h, 6);
      expect(box.width).toBeLessThanOrEqual(times * w + 1e-6);
    }),
  );
});

it('a box in the middle of a large frame is enlarged about its centre', () => {
  const box = boxInside({ width: 1000, height: 1000 }, { x: 450, y: 400, width: 100, height: 200 }, 2.5);
  expect(box).toEqual({ left: 375, top: 250, width: 250, height: 500 });
});

it('each pixel of the crop is the mean of its part of the rectangle, stretched in both directions', () => {
  const [width, height] = [40, 80];
  const rgb = new Uint8Array(width * height * 3);
  // Red by column, green by row, blue only below the middle.
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgb.set([x, y, y < 40 ? 0 : 200], (y * width + x) * 3);
  const out = new Float32Array(3 * 4 * 4);
  cropRectangle({ timeMs: 0, width, height, rgb }, { left: 0, top: 0, width: 40, height: 80 }, 4, out);
  const at = (channel: number, row: number, column: number) => out[channel * 16 + row * 4 + column]!;
  for (let i = 0; i < 4; i++) {
    expect(at(0, 0, i)).toBeCloseTo(4.5 + 10 * i, 0);
    expect(Math.abs(at(1, i, 0) - (9.5 + 20 * i))).toBeLessThanOrEqual(1);
    expect(at(2, i, 3)).toBe(i < 2 ? 0 : 200);
  }
});
