// The light code: while the page records, the area around the oval switches between two hues according to a random
// code, and the judgement looks for that code in the light on the skin. Nobody can record it in advance.
import { type Static, Type } from 'typebox';
import { closed } from './field-types.ts';

/** Whether the code is shown (LIVENESS_LIGHT): never; shown and measured without effect on the result; or required. */
export const LIGHT_MODES = ['off', 'observe', 'require'] as const;
export type LightMode = (typeof LIGHT_MODES)[number];

/**
 * How long a symbol is shown. At most 6 changes begin in any second, that is three pairs of opposing changes. WCAG
 * 2.3.1 allows as many even of flashes, which these are not (web/capture/light/hues.ts).
 */
export const SYMBOL_MS = 170;

/** Symbols of a code: 65 s, longer than any recording. */
export const SYMBOLS = 384;

/** The code of one recording: ±1 symbols as the bits of hexadecimal digits, most significant bit first. */
const LightCode = Type.String({ pattern: `^[0-9a-f]{${SYMBOLS / 4}}$` });

/** The light code drawn with a script, and whether a capture without it is sent back. */
export const DrawnLight = Type.Object({ code: LightCode, required: Type.Boolean() }, closed);
export type DrawnLight = Static<typeof DrawnLight>;

/** What the page is told before it records: the code is not shown, the person may choose, or it is required. */
export const LIGHT_OFFERS = ['off', 'optional', 'required'] as const;
export type LightOffer = (typeof LIGHT_OFFERS)[number];

/** Whether the page showed the code, as reported by the page. It counts only where the person may choose. */
export const LIGHT_SHOWN = ['shown', 'switched_off', 'device_preference'] as const;
export type LightShown = (typeof LIGHT_SHOWN)[number];

/** Symbol `k` of a code, +1 or −1; 0 outside it. */
export function symbolOf(code: string, k: number): -1 | 0 | 1 {
  const digit = Number.parseInt(code[k >> 2] ?? '', 16);
  if (k < 0 || Number.isNaN(digit)) return 0;
  return ((digit >> (3 - (k & 3))) & 1) === 1 ? 1 : -1;
}
