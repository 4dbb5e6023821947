// Upload limits that page and server share. Separate from the schemas, so that the page does not have to load those.

/** Approximate length of the slices in which a recording is announced. Short, so that little remains when it ends. */
export const SLICE_MS = 400;

/** Maximum number of slices in one announcement: enough to catch up after the connection was lost for seconds. */
export const MAX_ANNOUNCED_AT_ONCE = 16;

/** Maximum number of slices in a recording: one per quarter of a second, for as long as the longest script may last. */
export const MAX_SLICES = 512;

/** Largest video that can be judged, in bytes. */
export const MAX_VIDEO_BYTES = 64 * 1024 * 1024;
