// What the thumbnails of all source frames show: which frames are repeated, and how much detail each has.
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

/** What is read from thumbnails alone. */
type Thumbnails = Pick<Clip, 'thumbnails' | 'sourceFrameCount' | 'sourceTimesMs'>;

/**
 * The clip without the source frames that show what the last one left shows: pictures that stand twice hide how the others change
 * from one to the next.
 */
export function withoutRepeats({ thumbnails, sourceTimesMs }: Thumbnails): Thumbnails {
  const kept: number[] = [];
  for (let i = 0; i < sourceTimesMs.length; i++)
    if (i === 0 || largestBlockChange(thumbnails, kept.at(-1)!, i) > MIN_CHANGE) kept.push(i);
  const pictures = new Uint8Array(kept.length * SIZE);
  for (const [to, from] of kept.entries())
    pictures.set(thumbnails.subarray(from * SIZE, (from + 1) * SIZE), to * SIZE);
  return {
    thumbnails: pictures,
    sourceFrameCount: kept.length,
    sourceTimesMs: kept.map((frame) => sourceTimesMs[frame]!),
  };
}

/** Mean difference of neighbouring pixels in each source frame, in grey levels: 0 when black, little when blurred. */
export function detailOf({ thumbnails, sourceFrameCount }: Clip): number[] {
  return Array.from({ length: sourceFrameCount }, (_, frame) => meanGradient(thumbnails, frame * SIZE));
}

/** Mean change of a pixel from the frame before to each source frame, in grey levels; 0 for the first. */
export function changesOf({ thumbnails, sourceFrameCount }: Thumbnails): number[] {
  return Array.from({ length: sourceFrameCount }, (_, frame) => {
    if (frame === 0) return 0;
    const at = frame * SIZE;
    let sum = 0;
    for (let i = at; i < at + SIZE; i++) sum += Math.abs(thumbnails[i]! - thumbnails[i - SIZE]!);
    return sum / SIZE;
  });
}

/** How the pixels go through a frame, from the one before to the one after. */
export interface Bend {
  /** Sum of the changes from before to after, in grey levels. */
  readonly course: number;
  /** Sum of their second differences: 0 where each pixel changes at one rate. */
  readonly bend: number;
}

/** The bend at each source frame but the first and the last, which have 0. */
export function bendsOf({ thumbnails, sourceFrameCount }: Thumbnails): Bend[] {
  return Array.from({ length: sourceFrameCount }, (_, frame) => {
    let [course, bend] = [0, 0];
    if (frame > 0 && frame + 1 < sourceFrameCount) {
      const at = frame * SIZE;
      for (let i = at; i < at + SIZE; i++) {
        const before = thumbnails[i - SIZE]!;
        const after = thumbnails[i + SIZE]!;
        course += Math.abs(after - before);
        bend += Math.abs(before - 2 * thumbnails[i]! + after);
      }
    }
    return { course, bend };
  });
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
