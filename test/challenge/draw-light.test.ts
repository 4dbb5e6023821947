// The light code is drawn with each script: different each time, each symbol equally likely. There is none where it is
// off.
import { describe, expect, it } from 'vitest';
import { drawLight } from '../../src/challenge/draw-light.ts';
import { SYMBOLS, symbolOf } from '../../src/contract/screen-light.ts';

describe('the light code', () => {
  it('is drawn according to the mode', () => {
    expect(drawLight('off')).toBeNull();
    expect(drawLight('observe')).toMatchObject({ required: false });
    expect(drawLight('require')).toMatchObject({ required: true });
  });

  it('differs each time, with both symbols and both kinds of transition equally frequent', () => {
    const codes = Array.from({ length: 50 }, () => drawLight('observe')!.code);
    expect(new Set(codes).size).toBe(codes.length);
    let sum = 0;
    let alike = 0;
    for (const code of codes)
      for (let k = 0; k < SYMBOLS; k++) {
        const symbol = symbolOf(code, k);
        expect(Math.abs(symbol)).toBe(1);
        sum += symbol;
        alike += symbol * symbolOf(code, k - 1);
      }
    const limit = 6 * Math.sqrt(codes.length * SYMBOLS);
    expect(Math.abs(sum)).toBeLessThan(limit);
    expect(Math.abs(alike)).toBeLessThan(limit);
    expect(symbolOf(codes[0]!, SYMBOLS)).toBe(0);
    expect(symbolOf(codes[0]!, -1)).toBe(0);
  });
});
