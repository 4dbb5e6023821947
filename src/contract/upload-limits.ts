// Limits of an upload that page and server share. Apart from the schemas, so that the page carries none of those.

/** Slices that one announcement names at most: what a line that was away for seconds has to catch up with. */
export const MAX_ANNOUNCED_AT_ONCE = 16;
