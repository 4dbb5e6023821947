// The colours that surround the oval while its light carries a code.

/**
 * Two pale hues of nearly equal luminance, far apart in red and blue: that is what the judgement measures on the skin, and
 * what the eye sees least as flicker. Neither holds a saturated red. test/web/light.test.ts holds them to WCAG 2.3.1:
 * changes that are no flash, and would be no more than three in a second if they were.
 */
export const HUES = { warm: '#ffe3cc', cool: '#ccedff' } as const;

/** Between the two, before and after the code. */
export const BETWEEN = '#e7e8e7';

/** All that the surround can be: the page's texts are readable on each. */
export const SURROUNDS: readonly string[] = [...Object.values(HUES), BETWEEN];
