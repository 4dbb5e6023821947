// The light code: while the page records, the surround of the oval changes between two hues by a random code, and the
// judgement looks for that code in the light on the skin. Nobody can record it beforehand.
import { type Static, Type } from 'typebox';
import { closed } from './field-types.ts';

/** Whether the code is shown (LIVENESS_LIGHT): never; shown and measured, counting for nothing; or required. */
export const LIGHT_MODES = ['off', 'observe', 'require'] as const;
export type LightMode = (typeof LIGHT_MODES)[number];

/**
 * How long a symbol is shown. At most 6 changes begin in any second, three pairs of opposing ones: what WCAG 2.3.1 allows
 * even of flashes, which these are not (web/capture/light/hues.ts).
 */
export const SYMBOL_MS = 170;

/** Symbols of a code: 65 s, longer than any recording. */
export const SYMBOLS = 384;

/** The code of one recording: ±1 symbols as the bits of hexadecimal digits, the first bit first. */
const LightCode = Type.String({ pattern: `^[0-9a-f]{${SYMBOLS / 4}}$` });

/** Light as it is drawn with a script, and whether a capture without it is sent back. */
export const DrawnLight = Type.Object({ code: LightCode, required: Type.Boolean() }, closed);
export type DrawnLight = Static<typeof DrawnLight>;

/** What the page is told before it records: nothing is shown, showing it is the person's choice, or it is required. */
export const LIGHT_OFFERS = ['off', 'optional', 'required'] as const;
export type LightOffer = (typeof LIGHT_OFFERS)[number];

/** Whether the page showed the code, as it says; counts only where showing it is left to the person. */
export const LIGHT_SHOWN = ['shown', 'switched_off', 'device_preference'] as const;
export type LightShown = (typeof LIGHT_SHOWN)[number];

/** Symbol `k` of a code, +1 or −1; 0 outside it. */
export function symbolOf(code: string, k: number): -1 | 0 | 1 {
  const digit = Number.parseInt(code[k >> 2] ?? '', 16);
  if (k < 0 || Number.isNaN(digit)) return 0;
  return ((digit >> (3 - (k & 3))) & 1) === 1 ? 1 : -1;
}
