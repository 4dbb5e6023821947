// The colours between which the page's surround changes cause no flashes (WCAG 2.2: 2.3.1), and the page's texts can be
// read on each of them, whatever colours a client gave.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SYMBOL_MS } from '../../src/contract/screen-light.ts';
import { CONTROL_CONTRAST, contrast, parseHex, TEXT_CONTRAST } from '../../web/capture/brand/contrast.ts';
import { paletteOf } from '../../web/capture/brand/palette.ts';
import { SURROUNDS } from '../../web/capture/light/hues.ts';

const pairs = SURROUNDS.flatMap((from, i) => SURROUNDS.slice(i + 1).map((to) => [from, to] as const));

const linear = (hex: string) =>
  parseHex(hex)!.map((byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];

/** Relative luminance as defined in WCAG 2.2, 0–1. */
function luminanceOf(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** CIE 1976 u′, v′ of an sRGB colour. */
function chromaticity(hex: string): readonly [number, number] {
  const [r, g, b] = linear(hex);
  const x = 0.4124 * r + 0.3576 * g + 0.1805 * b;
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const z = 0.0193 * r + 0.1192 * g + 0.9505 * b;
  const sum = x + 15 * y + 3 * z;
  return [(4 * x) / sum, (9 * y) / sum];
}

describe('the surround of a recording', () => {
  it.each(pairs)('changes from %s to %s without a flash', (from, to) => {
    const [one, other] = [luminanceOf(from), luminanceOf(to)];
    // A general flash is 10 % of the maximum luminance; here the change is far less, even relative to the colours' own.
    expect(Math.abs(one - other) / Math.max(one, other)).toBeLessThan(0.02);
    expect(Math.abs(one - other)).toBeLessThan(0.1);
  });

  it.each(pairs)('contains no saturated red, from %s to %s', (from, to) => {
    for (const hex of [from, to]) {
      const [r, g, b] = linear(hex);
      expect(r / (r + g + b)).toBeLessThan(0.8);
    }
    const [[u1, v1], [u2, v2]] = [chromaticity(from), chromaticity(to)];
    expect(Math.hypot(u1 - u2, v1 - v2)).toBeLessThan(0.2);
  });

  it('would flash at most three times a second if its changes were flashes', () => {
    const changesInASecond = Math.ceil(1_000 / SYMBOL_MS);
    expect(changesInASecond / 2).toBeLessThanOrEqual(3);
  });

  it('keeps text readable, whatever colours a client gave', () => {
    const anyGiven = fc.option(
      fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`),
      { nil: null },
    );
    fc.assert(
      fc.property(anyGiven, anyGiven, anyGiven, (primary, headerText, bodyText) => {
        const palette = paletteOf({ primary, headerText, bodyText }, 'light', SURROUNDS);
        for (const surround of SURROUNDS) {
          for (const ink of [palette.heading, palette.text, palette.muted, palette.link])
            expect(contrast(ink, surround)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
          expect(contrast(palette.accent, surround)).toBeGreaterThanOrEqual(CONTROL_CONTRAST);
        }
      }),
      { numRuns: 300 },
    );
  });
});
