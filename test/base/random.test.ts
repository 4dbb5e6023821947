// Random bytes in small pieces are as those drawn one by one: none comes twice, whatever lengths are mixed.
import { expect, test } from 'vitest';
import { fewRandomBytes } from '../../src/base/random.ts';

test('pieces have their length, memory of their own, and nothing in common', () => {
  const seen = new Set<string>();
  let ones = 0;
  let bits = 0;
  for (let i = 0; i < 3_000; i++) {
    const bytes = [16, 32, 17, 48, 256, 300][i % 6]!;
    const piece = fewRandomBytes(bytes);
    expect(piece).toHaveLength(bytes);
    expect(piece.buffer.byteLength).toBe(bytes);
    // Both halves: a piece that overlaps another has one of them in common, sooner or later.
    seen.add(piece.toString('hex', 0, 8)).add(piece.toString('hex', bytes - 8));
    for (const byte of piece) ones += byte.toString(2).replaceAll('0', '').length;
    bits += 8 * bytes;
  }
  expect(seen.size).toBe(6_000);
  // Ten standard deviations of 2.7 million fair bits.
  expect(Math.abs(ones / bits - 0.5)).toBeLessThan(0.003);
});

test('what was handed out stays what it was', () => {
  const pieces = Array.from({ length: 1_000 }, () => fewRandomBytes(32));
  const before = pieces.map((piece) => piece.toString('hex'));
  for (let i = 0; i < 1_000; i++) fewRandomBytes(32).fill(0);
  expect(pieces.map((piece) => piece.toString('hex'))).toEqual(before);
});
