// The capture page's texts and controls are readable whatever colours a client gives (WCAG 2.2: 1.4.3, 1.4.11).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CONTROL_CONTRAST,
  contrast,
  onColour,
  parseHex,
  readable,
  TEXT_CONTRAST,
} from '../../web/capture/brand/contrast.ts';
import { paletteOf } from '../../web/capture/brand/palette.ts';

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);
const anyGiven = fc.option(anyColour, { nil: null });

describe('contrast', () => {
  it('matches WCAG for known pairs', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
    expect(contrast('#f00', '#fff')).toBeCloseTo(4.0, 1);
  });

  it('reads both spellings of a colour and refuses others', () => {
    expect(parseHex('#abc')).toEqual([0xaa, 0xbb, 0xcc]);
    expect(parseHex('#A1B2C3')).toEqual([0xa1, 0xb2, 0xc3]);
    for (const wrong of ['abc', '#abcd', 'red', '#12345g', '']) expect(parseHex(wrong)).toBeNull();
  });

  it('finds a readable shade for every colour on every background', () => {
    fc.assert(
      fc.property(anyColour, anyColour, (colour, background) => {
        expect(contrast(readable(colour, [background], TEXT_CONTRAST), background)).toBeGreaterThanOrEqual(
          TEXT_CONTRAST,
        );
        expect(contrast(onColour(background), background)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      }),
    );
  });

  it('leaves a readable colour alone', () => {
    expect(readable('#0A66C2', ['#ffffff'], TEXT_CONTRAST)).toBe('#0a66c2');
  });
});

describe('palette', () => {
  it.each(['light', 'dark'] as const)('is readable in %s whatever is given', (scheme) => {
    fc.assert(
      fc.property(anyGiven, anyGiven, anyGiven, (primary, headerText, bodyText) => {
        const palette = paletteOf({ primary, headerText, bodyText }, scheme);
        for (const background of [palette.surface, palette.backdrop, palette.tint]) {
          for (const ink of [palette.heading, palette.text, palette.muted, palette.link]) {
            expect(contrast(ink, background)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
          }
          expect(contrast(palette.accent, background)).toBeGreaterThanOrEqual(CONTROL_CONTRAST);
        }
        expect(contrast(palette.onPrimary, palette.primary)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
        expect(contrast(palette.onPrimary, palette.primaryHover)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
      }),
      { numRuns: 400 },
    );
  });

  it('keeps the given colours where they can be read', () => {
    const palette = paletteOf({ primary: '#0a66c2', headerText: '#7a1fa2', bodyText: '#222222' }, 'light');
    expect(palette).toMatchObject({ primary: '#0a66c2', heading: '#7a1fa2', text: '#222222' });
  });

  it('does not turn white headings into grey ones on a white page', () => {
    expect(paletteOf({ primary: null, headerText: '#ffffff', bodyText: null }, 'light').heading).toBe(
      paletteOf({ primary: null, headerText: null, bodyText: null }, 'light').heading,
    );
  });

  it('ignores what is not a colour', () => {
    const palette = paletteOf({ primary: 'red', headerText: 'x', bodyText: '' }, 'light');
    expect(palette).toEqual(paletteOf({ primary: null, headerText: null, bodyText: null }, 'light'));
  });
});
