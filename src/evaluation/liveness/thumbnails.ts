// What the thumbnails of all source frames show: which frames are repeated, how they change, and how much detail each
// has. A lamp that pulses, or a camera that adjusts its exposure, changes every pixel by the same gain and offset, and
// nobody's movement does: what one gain and one offset explain is no change.
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../video/clip.ts';

const SIZE = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
/** Side of one block in thumbnail pixels. Coding noise averages out over a block; a moving lid or lip does not. */
const BLOCK = 4;
/**
 * A frame is new if some block's mean changed by more than this many grey levels. Re-encoded stills: median 0–0.12;
 * live clips: lowest tenth 0.44 (a noiseless studio clip) and more.
 */
const MIN_CHANGE = 0.35;
/** Light changes by at most this factor from one picture to the next; more is another picture. Chosen, not measured. */
const MAX_GAIN = 2;

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
export const repeatsOf = memoise((clip): readonly boolean[] => {
  const changeTo = changesOf(clip);
  return Array.from(
    { length: clip.sourceFrameCount },
    (_, frame) => frame > 0 && changeTo(frame - 1, frame).largest <= MIN_CHANGE,
  );
});

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
export const picturesOf = memoise((clip): Pictures => {
  const { thumbnails, sourceTimesMs } = clip;
  const changeTo = changesOf(clip);
  const frames: number[] = [];
  for (let frame = 0; frame < sourceTimesMs.length; frame++)
    if (frame === 0 || changeTo(frames.at(-1)!, frame).largest > MIN_CHANGE) frames.push(frame);
  return {
    timesMs: frames.map((frame) => sourceTimesMs[frame]!),
    changes: frames.map((frame, i) => (i === 0 ? 0 : changeTo(frames[i - 1]!, frame).mean)),
    bends: frames.map((at, i) => {
      if (i === 0 || i + 1 === frames.length) return { course: 0, bend: 0 };
      const [before, after] = [frames[i - 1]!, frames[i + 1]!];
      const { light } = changeTo(before, at);
      return bendThrough(thumbnails, [before, at, after], light, lightOf(thumbnails, before, after));
    }),
  };
});

/** Mean difference of neighbouring pixels in each source frame, in grey levels: 0 if black, small if blurred. */
export const detailOf = memoise(({ thumbnails, sourceFrameCount }): readonly number[] =>
  Array.from({ length: sourceFrameCount }, (_, frame) => meanGradient(thumbnails, frame * SIZE)),
);

/** Mean of each source frame, in grey levels. */
export const brightnessOf = memoise(({ thumbnails, sourceFrameCount }): readonly number[] =>
  Array.from({ length: sourceFrameCount }, (_, frame) => {
    let sum = 0;
    for (let i = frame * SIZE; i < (frame + 1) * SIZE; i++) sum += thumbnails[i]!;
    return sum / SIZE;
  }),
);

/** The light of one thumbnail as seen from another: a pixel `v` of that one is expected to be `gain * v + offset`. */
interface Light {
  readonly gain: number;
  readonly offset: number;
}

/**
 * Least squares. It leaves a fade linear: what the light does not explain of a mixture grows with the second picture's
 * share.
 */
function lightOf(thumbnails: Uint8Array, before: number, after: number): Light {
  const [a, b] = [before * SIZE, after * SIZE];
  let [sumA, sumB, squares, products] = [0, 0, 0, 0];
  for (let i = 0; i < SIZE; i++) {
    const from = thumbnails[a + i]!;
    const to = thumbnails[b + i]!;
    sumA += from;
    sumB += to;
    squares += from * from;
    products += from * to;
  }
  const variance = squares - (sumA * sumA) / SIZE;
  const slope = variance > 0 ? (products - (sumA * sumB) / SIZE) / variance : 1;
  const gain = Math.min(MAX_GAIN, Math.max(1 / MAX_GAIN, slope));
  return { gain, offset: (sumB - gain * sumA) / SIZE };
}

/** What changes from one thumbnail to another, in grey levels, beyond the light. */
interface Change {
  readonly light: Light;
  /** Mean of all pixels. */
  readonly mean: number;
  /** Largest of a block's mean. */
  readonly largest: number;
}

/** Compares two frames of a clip, each pair once. */
const changesOf = memoise(({ thumbnails, sourceFrameCount }) => {
  const known = new Map<number, Change>();
  return (before: number, after: number): Change => {
    const pair = before * sourceFrameCount + after;
    const change = known.get(pair) ?? changeBetween(thumbnails, before, after);
    known.set(pair, change);
    return change;
  };
});

function changeBetween(thumbnails: Uint8Array, before: number, after: number): Change {
  const light = lightOf(thumbnails, before, after);
  const { gain, offset } = light;
  let [all, largest] = [0, 0];
  for (let top = 0; top < THUMBNAIL_HEIGHT; top += BLOCK) {
    for (let left = 0; left < THUMBNAIL_WIDTH; left += BLOCK) {
      let own = 0;
      for (let y = top; y < top + BLOCK; y++) {
        const row = y * THUMBNAIL_WIDTH;
        for (let at = row + left; at < row + left + BLOCK; at++) {
          const change = thumbnails[after * SIZE + at]! - gain * thumbnails[before * SIZE + at]! - offset;
          own += change;
          all += Math.abs(change);
        }
      }
      largest = Math.max(largest, Math.abs(own));
    }
  }
  return { light, mean: all / SIZE, largest: largest / (BLOCK * BLOCK) };
}

/** How the pixels change through three frames, given the light of the second and the third as seen from the first. */
function bendThrough(
  thumbnails: Uint8Array,
  [before, at, after]: readonly [number, number, number],
  first: Light,
  second: Light,
): Bend {
  const [a, b, c] = [before * SIZE, at * SIZE, after * SIZE];
  let [course, bend] = [0, 0];
  for (let i = 0; i < SIZE; i++) {
    const from = thumbnails[a + i]!;
    const half = thumbnails[b + i]! - first.gain * from - first.offset;
    const whole = thumbnails[c + i]! - second.gain * from - second.offset;
    course += Math.abs(whole);
    bend += Math.abs(whole - 2 * half);
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
