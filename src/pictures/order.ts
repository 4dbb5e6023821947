// What the decoder's process is told on its command line, and answers: one line of JSON, then the bytes.

/** What to make of a picture: an upright one of at most this size, without metadata. */
export interface PictureOrder {
  /**
   * `png`: with its transparency. `rgb`: 3 bytes a pixel, row by row, transparency in grey. `rgba`: 4 bytes a pixel, the
   * last one its opacity.
   */
  readonly form: 'png' | 'rgb' | 'rgba';
  /** Most pixels to decode: a small file can expand to gigabytes. */
  readonly maxPixels: number;
  readonly maxSidePx: number;
  /** Whether it may be a drawing (SVG). */
  readonly drawings: boolean;
}

export type PictureAnswer =
  | { readonly status: 'decoded'; readonly width: number; readonly height: number }
  | { readonly status: 'refused'; readonly because: 'too_large_dimensions' | 'decode_failed' };

/** The process reads its input here. */
export const INPUT_DESCRIPTOR = 3;
/** In place of an order: the process shows that it can run. */
export const TRIAL = 'trial';
