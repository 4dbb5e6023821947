// What the thumbnails of all source frames show: which frames are repeated, and how much detail each has.
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../video/clip.ts';

const SIZE = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
/** Side of one block in thumbnail pixels. Coding noise averages out over a block; a moving lid or lip does not. */
const BLOCK = 4;
/**
 * A frame is new if some block's mean changed by more than this many grey levels. Re-encoded stills: median 0–0.12;
 * live clips: lowest tenth 0.44 (a noiseless studio clip) and more.
 */
const MIN_CHANGE = 0.35;

/** Caches a measure per clip, because several checks read it. */
function memoise<T>(measure: (clip: Clip) => T): (clip: Clip) => T {
  const taken = new WeakMap<Clip, T>();
  return (clip) => {
    const known = taken.get(clip);
    if (known !== undefined) return known;
    const value = measure(clip);
    taken.set(clip, value);
    return value;
  };
}

/** Whether each source frame repeats the one before; the first does not. */
export const repeatsOf = memoise(({ thumbnails, sourceFrameCount }): readonly boolean[] =>
  Array.from(
    { length: sourceFrameCount },
    (_, frame) => frame > 0 && largestBlockChange(thumbnails, frame - 1, frame) <= MIN_CHANGE,
  ),
);

/**
 * The pictures of a clip: one for each source frame that differs from the last one kept. Repeated frames would hide how
 * the others change from one to the next.
 */
export interface Pictures {
  readonly timesMs: readonly number[];
  /** Mean change of a pixel from the picture before, in grey levels; 0 for the first. */
  readonly changes: readonly number[];
  /** At each picture; 0 for the first and the last. */
  readonly bends: readonly Bend[];
}

/** How the pixels change from the picture before, through this one, to the picture after. */
export interface Bend {
  /** Sum of the changes from before to after, in grey levels. */
  readonly course: number;
  /** Sum of their second differences: 0 if each pixel changes at a constant rate. */
  readonly bend: number;
}

/** The pictures of a clip and how they change; seams are read from them. */
export const picturesOf = memoise(({ thumbnails, sourceTimesMs }): Pictures => {
  const frames: number[] = [];
  for (let frame = 0; frame < sourceTimesMs.length; frame++)
    if (frame === 0 || largestBlockChange(thumbnails, frames.at(-1)!, frame) > MIN_CHANGE) frames.push(frame);
  return {
    timesMs: frames.map((frame) => sourceTimesMs[frame]!),
    changes: frames.map((frame, i) => (i === 0 ? 0 : changeBetween(thumbnails, frames[i - 1]!, frame))),
    bends: frames.map((frame, i) =>
      i === 0 || i + 1 === frames.length
        ? { course: 0, bend: 0 }
        : bendThrough(thumbnails, frames[i - 1]!, frame, frames[i + 1]!),
    ),
  };
});

/** Mean difference of neighbouring pixels in each source frame, in grey levels: 0 if black, small if blurred. */
export const detailOf = memoise(({ thumbnails, sourceFrameCount }): readonly number[] =>
  Array.from({ length: sourceFrameCount }, (_, frame) => meanGradient(thumbnails, frame * SIZE)),
);

function changeBetween(thumbnails: Uint8Array, before: number, after: number): number {
  const [a, b] = [before * SIZE, after * SIZE];
  let sum = 0;
  for (let i = 0; i < SIZE; i++) sum += Math.abs(thumbnails[b + i]! - thumbnails[a + i]!);
  return sum / SIZE;
}

function bendThrough(thumbnails: Uint8Array, before: number, at: number, after: number): Bend {
  const [a, b, c] = [before * SIZE, at * SIZE, after * SIZE];
  let [course, bend] = [0, 0];
  for (let i = 0; i < SIZE; i++) {
    const from = thumbnails[a + i]!;
    const to = thumbnails[c + i]!;
    course += Math.abs(to - from);
    bend += Math.abs(from - 2 * thumbnails[b + i]! + to);
  }
  return { course, bend };
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
