// The colours of the surround while its light carries a code.

/**
 * Two pale hues of nearly equal luminance, far apart in red and blue: this is what the judgement measures on the skin,
 * and what the eye notices least as flicker. Neither contains a saturated red. test/web/light.test.ts checks them
 * against WCAG 2.3.1: the changes are not flashes, and would not exceed three a second if they were.
 */
export const HUES = { warm: '#ffe3cc', cool: '#ccedff' } as const;

/** Midway between the two, shown before and after the code. */
export const BETWEEN = '#e7e8e7';

/** Every colour that the surround can have: the page's texts are readable on each. */
export const SURROUNDS: readonly string[] = [...Object.values(HUES), BETWEEN];
