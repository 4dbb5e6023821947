// Limits of an upload that page and server share. Apart from the schemas, so that the page carries none of those.

/** A recording is announced in slices of about this length: short, so that little is left when it ends. */
export const SLICE_MS = 400;

/** Slices that one announcement names at most: what a line that was away for seconds has to catch up with. */
export const MAX_ANNOUNCED_AT_ONCE = 16;

/** Slices of a recording at most: one each quarter of a second, for as long as the longest script may last. */
export const MAX_SLICES = 512;

/** Largest video that can be judged, in bytes; `MAX_UPLOAD_BYTES` may be lower, not higher. */
export const MAX_VIDEO_BYTES = 64 * 1024 * 1024;
