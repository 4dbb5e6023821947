// Bars around the picture: some cameras and apps fill a frame of another shape with one colour. PAD networks take them
// for the edge of a screen.
import type { Frame } from '../video/frame.ts';

/** A bar's colour varies by at most so many levels, less than any wall's. Chosen, not measured. */
const MAX_SPREAD = 4;
/** Brighter than this, it may be an overexposed wall. Chosen, not measured. */
const MAX_LEVEL = 235;
/** Bars on opposite sides differ by at most this share of the frame; thinner bars do not matter. Chosen. */
const MAX_UNEVENNESS = 0.02;
const MIN_THICKNESS = 0.03;
const MAX_THICKNESS = 0.45;

/** The part of a frame between its bars. */
export interface Content {
  readonly frame: Frame;
  /** Where it lies in the whole frame. */
  readonly left: number;
  readonly top: number;
}

/**
 * Removes two bars of one colour and thickness, above and below or left and right. A plain wall is no bar: what stands
 * before it reaches one of the two edges.
 */
export function withoutBars(frame: Frame): Content {
  const { width, height } = frame;
  const left = thicknessOf(frame, { lines: width, lineStep: 1, length: height, step: width });
  const top = thicknessOf(frame, { lines: height, lineStep: width, length: width, step: 1 });
  // Bars on all sides are more likely a plain background.
  const hasBars = (left > 0 || top > 0) && !(left > 0 && top > 0);
  if (!hasBars) return { frame, left: 0, top: 0 };
  const inner = { width: width - 2 * left, height: height - 2 * top };
  const rgb = new Uint8Array(inner.width * inner.height * 3);
  for (let y = 0; y < inner.height; y++) {
    const from = ((y + top) * width + left) * 3;
    rgb.set(frame.rgb.subarray(from, from + inner.width * 3), y * inner.width * 3);
  }
  return { frame: { timeMs: frame.timeMs, ...inner, rgb }, left, top };
}

/** How to walk a frame in lines across which a bar would lie: steps in pixels. */
interface Walk {
  readonly lines: number;
  readonly lineStep: number;
  readonly length: number;
  readonly step: number;
}

/** Thickness in pixels of the bars on both sides; 0 without them. */
function thicknessOf(frame: Frame, walk: Walk): number {
  const { lines } = walk;
  const most = Math.floor(lines * MAX_THICKNESS);
  let first = 0;
  while (first < most && isOfColour(frame, walk, first)) first++;
  if (first < lines * MIN_THICKNESS) return 0;
  let last = 0;
  while (last < most && isOfColour(frame, walk, lines - 1 - last)) last++;
  return Math.abs(first - last) <= lines * MAX_UNEVENNESS ? Math.max(first, last) : 0;
}

/** Whether the whole line has the colour of the middle of the first one. */
function isOfColour({ rgb }: Frame, { lineStep, length, step }: Walk, line: number): boolean {
  const colour = (length >> 1) * step * 3;
  if (rgb[colour]! > MAX_LEVEL && rgb[colour + 1]! > MAX_LEVEL && rgb[colour + 2]! > MAX_LEVEL) return false;
  for (let i = 0; i < length; i++) {
    const pixel = (line * lineStep + i * step) * 3;
    for (let channel = 0; channel < 3; channel++)
      if (Math.abs(rgb[pixel + channel]! - rgb[colour + channel]!) > MAX_SPREAD) return false;
  }
  return true;
}
