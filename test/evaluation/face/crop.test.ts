// Crops sample the right places: exact values on pictures with every pixel known.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cropRgb, invert, type Similarity, squareCrop } from '../../../src/evaluation/face/crop.ts';
import { letterbox } from '../../../src/evaluation/face/letterbox.ts';
import type { Frame } from '../../../src/evaluation/video/frame.ts';

/** Red is x, green is y, blue is 7. */
function ramp(width: number, height: number): Frame {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rgb.set([x, y, 7], (y * width + x) * 3);
  return { timeMs: 0, width, height, rgb };
}

const plain = { gain: 1, offset: 0 };

function crop(frame: Frame, map: Parameters<typeof cropRgb>[1], size: number, scale = plain): Float32Array {
  const out = new Float32Array(3 * size * size);
  cropRgb(frame, map, size, scale, out);
  return out;
}

test('a crop at scale one is a copy, planar', () => {
  const out = crop(ramp(20, 20), { a: 1, b: 0, tx: 5, ty: 3 }, 4);
  expect([...out.subarray(0, 4)]).toEqual([5, 6, 7, 8]);
  expect([...out.subarray(16, 32)].filter((_, i) => i % 4 === 0)).toEqual([3, 4, 5, 6]);
  expect(out.subarray(32).every((value) => value === 7)).toBe(true);
});

test('gain and offset are applied, and outside the frame is black', () => {
  const out = crop(ramp(4, 4), { a: 1, b: 0, tx: 2, ty: 0 }, 4, { gain: 2, offset: -1 });
  expect([...out.subarray(0, 4)]).toEqual([3, 5, -1, -1]);
});

test('interpolates between pixels', () => {
  const out = crop(ramp(20, 20), { a: 1, b: 0, tx: 5.25, ty: 3.5 }, 2);
  expect(out[0]).toBeCloseTo(5.25, 5);
  expect(out[4]).toBeCloseTo(3.5, 5);
});

test('half a pixel beyond the edge is half black', () => {
  const out = crop(ramp(4, 4), { a: 1, b: 0, tx: -0.5, ty: 0 }, 2);
  expect(out[8]).toBeCloseTo(3.5, 5);
  expect(out[9]).toBeCloseTo(7, 5);
});

test('a shrinking crop averages what it covers', () => {
  const out = crop(ramp(40, 40), { a: 4, b: 0, tx: 8, ty: 0 }, 2);
  expect([...out.subarray(0, 2)]).toEqual([9.5, 13.5]);
  expect(out[4]).toBe(1.5);
});

test('a crop rotated by a quarter turn reads columns', () => {
  const map = squareCrop(10, 10, 4, Math.PI / 2, 4);
  const out = crop(ramp(20, 20), map, 4);
  expect([...out.subarray(0, 4)].map(Math.round)).toEqual([11, 11, 11, 11]);
  expect([...out.subarray(16, 20)].map(Math.round)).toEqual([8, 9, 10, 11]);
});

test('a similarity and its inverse cancel', () => {
  const map = squareCrop(31, 17, 90, 0.4, 112);
  const back = invert(map);
  const x = map.a * 30 - map.b * 70 + map.tx;
  const y = map.b * 30 + map.a * 70 + map.ty;
  expect(back.a * x - back.b * y + back.tx).toBeCloseTo(30, 9);
  expect(back.b * x + back.a * y + back.ty).toBeCloseTo(70, 9);
});

test('a letterboxed frame is centred with black above and below', () => {
  const size = 8;
  const out = new Float32Array(3 * size * size);
  const placed = letterbox(ramp(16, 8), { x: 0, y: 0, width: 16, height: 8 }, size, out);
  expect(placed).toEqual({ originX: 0, originY: -4, scale: 2 });
  expect([...out.subarray(0, 16)].every((value) => value === -1)).toBe(true);
  expect(out[2 * size]).toBeCloseTo(0.5 / 127.5 - 1, 6);
  expect(out[3 * size + 7]).toBeCloseTo(14.5 / 127.5 - 1, 6);
  expect([...out.subarray(6 * size, 8 * size)].every((value) => value === -1)).toBe(true);
});

/** cropRgb as documented, with each sample computed separately. */
function plainCrop({ width, height, rgb }: Frame, { a, b, tx, ty }: Similarity, size: number): Float32Array {
  const out = new Float32Array(3 * size * size);
  const shrink = Math.hypot(a, b);
  const samples = Math.min(6, Math.round(shrink));
  const valueAt = (x: number, y: number, channel: number) =>
    x < 0 || y < 0 || x >= width || y >= height
      ? 0
      : rgb[(Math.floor(y) * width + Math.floor(x)) * 3 + channel]!;
  for (let i = 0; i < out.length; i++) {
    const [channel, row, column] = [Math.floor(i / size / size), Math.floor(i / size) % size, i % size];
    if (shrink >= 1.5) {
      let sum = 0;
      for (let j = 0; j < samples; j++)
        for (let k = 0; k < samples; k++) {
          const [u, v] = [column + (k + 0.5) / samples, row + (j + 0.5) / samples];
          sum += valueAt(a * u - b * v + tx, b * u + a * v + ty, channel);
        }
      out[i] = sum / samples ** 2;
      continue;
    }
    const x = a * (column + 0.5) - b * (row + 0.5) + tx - 0.5;
    const y = b * (column + 0.5) + a * (row + 0.5) + ty - 0.5;
    const [x0, y0] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - x0, y - y0];
    out[i] =
      (1 - fy) * ((1 - fx) * valueAt(x0, y0, channel) + fx * valueAt(x0 + 1, y0, channel)) +
      fy * ((1 - fx) * valueAt(x0, y0 + 1, channel) + fx * valueAt(x0 + 1, y0 + 1, channel));
  }
  return out;
}

test('a crop equals its separate samples inside the frame, across its edges and outside', () => {
  const frame = ramp(60, 44);
  const place = fc.integer({ min: -300, max: 700 }).map((tenths) => tenths / 10 + 0.037);
  fc.assert(
    fc.property(
      place,
      place,
      fc.double({ min: 0.3, max: 4, noNaN: true }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      (x, y, scale, angle) => {
        const map = squareCrop(x, y, scale * 12, angle, 12);
        const [found, said] = [crop(frame, map, 12), plainCrop(frame, map, 12)];
        // A sample on the border of two pixels may be rounded to either: a difference of one in a ramp, of a whole
        // value at an edge.
        const off = found.filter((value, i) => Math.abs(value - said[i]!) > 1e-3);
        expect(off.length).toBeLessThanOrEqual(3);
      },
    ),
    { numRuns: 300 },
  );
});
