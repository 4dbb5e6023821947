// One decoded picture of a clip: the unit that everything in evaluation works on.

/** A decoded frame. Pixels are packed 8-bit RGB, row by row, no padding: `rgb.length === width * height * 3`. */
export interface Frame {
  /** Presentation time from the first frame of the clip, in milliseconds. A still image has 0. */
  readonly timeMs: number;
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}
