// What the thumbnails of all source frames tell: which frames show nothing new, and how much each one shows.
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../video/clip.ts';

const SIZE = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
/** Thumbnail pixels a side of one block: coding noise averages out, a moving lid or lip does not. */
const BLOCK = 4;
/**
 * A frame is new when some block's mean changed by more than this many grey levels. Re-encoded stills: median 0–.12;
 * live clips: lowest tenth .44 (a noiseless studio clip) and more.
 */
const MIN_CHANGE = 0.35;

/** Whether source frame `index` (1 and on) repeats the one before. */
export function isRepeated({ thumbnails }: Clip, index: number): boolean {
  return largestBlockChange(thumbnails, index - 1, index) <= MIN_CHANGE;
}

/** Mean difference of neighbouring pixels in each source frame, in grey levels: none in a black frame, little in a blurred one. */
export function detailOf({ thumbnails, sourceFrameCount }: Clip): number[] {
  return Array.from({ length: sourceFrameCount }, (_, frame) => meanGradient(thumbnails, frame * SIZE));
}

function meanGradient(thumbnails: Uint8Array, from: number): number {
  let sum = 0;
  for (let y = 0; y < THUMBNAIL_HEIGHT - 1; y++) {
    for (let x = 0; x < THUMBNAIL_WIDTH - 1; x++) {
      const at = from + y * THUMBNAIL_WIDTH + x;
      sum +=
        Math.abs(thumbnails[at]! - thumbnails[at + 1]!) +
        Math.abs(thumbnails[at]! - thumbnails[at + THUMBNAIL_WIDTH]!);
    }
  }
  return sum / ((THUMBNAIL_WIDTH - 1) * (THUMBNAIL_HEIGHT - 1));
}

/** Largest change of a block's mean between two thumbnails, in grey levels. */
function largestBlockChange(thumbnails: Uint8Array, before: number, after: number): number {
  let largest = 0;
  for (let top = 0; top < THUMBNAIL_HEIGHT; top += BLOCK) {
    for (let left = 0; left < THUMBNAIL_WIDTH; left += BLOCK) {
      let change = 0;
      for (let y = top; y < top + BLOCK; y++) {
        const row = y * THUMBNAIL_WIDTH;
        for (let x = left; x < left + BLOCK; x++)
          change += thumbnails[after * SIZE + row + x]! - thumbnails[before * SIZE + row + x]!;
      }
      largest = Math.max(largest, Math.abs(change));
    }
  }
  return largest / (BLOCK * BLOCK);
}
