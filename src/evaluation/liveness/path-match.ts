// How well the head's curve follows a path, and how many of 10,000 fresh paths it would have followed equally well. The
// latter is a rate computed for each video, whatever it shows.
import { createCipheriv, createHash } from 'node:crypto';
import { type DrawInteger, drawPath, type Path, samplePath } from '../../contract/path.ts';

/** The head's apparent yaw and pitch, as in FaceGeometry, every {@link GRID_MS} from the beginning of the video. */
export interface HeadCurve {
  readonly yaw: Float64Array;
  readonly pitch: Float64Array;
}

/** How a head followed the path it was shown. */
export interface PathMatch {
  /** See {@link bestStart}; the best over all delays. */
  readonly score: number;
  /** The delay at which it is reached. */
  readonly delayMs: number;
  /**
   * Probability that a path which nobody knew when the video was made is followed equally well at some time of the
   * video: the rank of the score among those of the fresh paths, each at its best time. At least 1 / (paths + 1).
   */
  readonly p: number;
}

/** Paths stay below 2 Hz, so this is dense enough, and whole tenths of a second keep the search small. */
export const GRID_MS = 100;
/**
 * Delay from the mark to the head in the video: reactions of 0.15–0.6 s, screen and camera, and up to 0.2 s by which a
 * recorder's clock is late (Chromium reports its start 50–210 ms after the first frame).
 */
const DELAY_MS = { least: 0, most: 1_100 };
/** The part of a path that is matched: its movement, and a little of the standstill before and after it. */
const BEFORE_MS = 100;
const AFTER_MS = 200;
/** Number of fresh paths. More would cost time and resolve rates that nobody needs. */
export const FRESH_PATHS = 10_000;
/** How much the mesh of a still head moves, in the units of yaw and pitch: 0.005–0.025 (twelve public clips). */
const STILL = 0.015;

/**
 * Matches the head with the path that was shown from `fromMs` on. Null if the video does not contain the path at any
 * delay. Deterministic: the fresh paths are derived from the path itself, which only the server draws.
 */
export function matchPath(
  head: HeadCurve,
  path: Path,
  fromMs: number,
  fresh = FRESH_PATHS,
): PathMatch | null {
  const movingMs = path.at(-2)!.at_ms - path[1]!.at_ms;
  const search = searchIn(head, Math.floor((movingMs + BEFORE_MS + AFTER_MS) / GRID_MS));
  const shown = (fromMs + path[1]!.at_ms - BEFORE_MS) / GRID_MS;
  const first = Math.max(0, Math.round(shown + DELAY_MS.least / GRID_MS));
  const last = Math.min(search.starts - 1, Math.round(shown + DELAY_MS.most / GRID_MS));
  if (last < first) return null;
  const template = templateOf(path, search.length);
  const best = bestStart(search, template, first, last);
  const draw = drawsFrom(path);
  let better = 0;
  for (let i = 0; i < fresh; i++)
    if (reaches(search, templateOf(drawPath(movingMs, draw), search.length), best.score)) better++;
  return {
    score: best.score,
    delayMs: Math.round((best.start - shown) * GRID_MS),
    p: (better + 1) / (fresh + 1),
  };
}

/** The head, ready to be matched with templates of one length. */
interface Search extends HeadCurve {
  /** Samples of a template. */
  readonly length: number;
  /** Places where a template may begin. */
  readonly starts: number;
  /** For each start, 1 / norm of the head's samples about their mean, with the noise of a still head added. */
  readonly yawScale: Float64Array;
  readonly pitchScale: Float64Array;
}

function searchIn({ yaw, pitch }: HeadCurve, length: number): Search {
  const starts = Math.max(0, yaw.length - length + 1);
  const scaleOf = (curve: Float64Array) =>
    Float64Array.from({ length: starts }, (_, start) => {
      let sum = 0;
      let squares = 0;
      for (let i = start; i < start + length; i++) {
        sum += curve[i]!;
        squares += curve[i]! * curve[i]!;
      }
      return 1 / Math.sqrt(Math.max(0, squares - (sum * sum) / length) + length * STILL * STILL);
    });
  return { yaw, pitch, length, starts, yawScale: scaleOf(yaw), pitchScale: scaleOf(pitch) };
}

/** The path's curve; each coordinate is centred on its mean and has norm 1. */
interface Template {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

function templateOf(path: Path, length: number): Template {
  const pairs = new Float64Array(2 * length);
  samplePath(path, path[1]!.at_ms - BEFORE_MS, GRID_MS, pairs);
  return { x: normalised(pairs, 0), y: normalised(pairs, 1) };
}

function normalised(pairs: Float64Array, coordinate: 0 | 1): Float64Array {
  const out = new Float64Array(pairs.length / 2);
  let mean = 0;
  for (let i = 0; i < out.length; i++) mean += pairs[2 * i + coordinate]! / out.length;
  let squares = 0;
  for (let i = 0; i < out.length; i++) {
    out[i] = pairs[2 * i + coordinate]! - mean;
    squares += out[i]! * out[i]!;
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let i = 0; i < out.length; i++) out[i]! *= scale;
  return out;
}

/**
 * The best score from `first` to `last`: the log likelihood ratio, per sample and doubled, of "the head is the mark,
 * scaled and shifted, plus noise" over "noise", added for both coordinates. Movement against the mark counts against
 * it. With correlations r it is the sum of −sign(r) log(1 − r²): 0.9 at 0.6 in each, 2.0 at 0.8, 3.3 at 0.9.
 */
function bestStart(search: Search, template: Template, first: number, last: number) {
  const best = { score: Number.NEGATIVE_INFINITY, start: first };
  for (let start = first; start <= last; start++) {
    const score = -Math.log(unexplainedAt(search, template, start));
    if (score <= best.score) continue;
    best.score = score;
    best.start = start;
  }
  return best;
}

/** Whether any start reaches the score. No logarithm and no closure: this is the inner loop of 10,000 searches. */
function reaches(search: Search, template: Template, score: number): boolean {
  const least = Math.exp(-score);
  for (let start = 0; start < search.starts; start++)
    if (unexplainedAt(search, template, start) <= least) return true;
  return false;
}

/** e to the power of −score at one start. */
function unexplainedAt(
  { yaw, pitch, length, yawScale, pitchScale }: Search,
  { x, y }: Template,
  start: number,
): number {
  let alongX = 0;
  let alongY = 0;
  for (let i = 0; i < length; i++) {
    alongX += yaw[start + i]! * x[i]!;
    alongY += pitch[start + i]! * y[i]!;
  }
  alongX *= yawScale[start]!;
  alongY *= pitchScale[start]!;
  const leftX = 1 - alongX * alongX;
  const leftY = 1 - alongY * alongY;
  return (alongX < 0 ? 1 / leftX : leftX) * (alongY < 0 ? 1 / leftY : leftY);
}

/** Enough for the draws of 100 paths. */
const BLOCK_BYTES = 64 * 1024;

/** Draws derived from the path alone: AES-256 in counter mode, keyed with the path's SHA-256. */
function drawsFrom(path: Path): DrawInteger {
  const key = createHash('sha256').update(JSON.stringify(path.map(({ at_ms, x, y }) => [at_ms, x, y])));
  const stream = createCipheriv('aes-256-ctr', key.digest(), Buffer.alloc(16));
  const zeros = Buffer.alloc(BLOCK_BYTES);
  let block = new Uint32Array(0);
  let next = 0;
  return (least, most) => {
    if (next === block.length) {
      const bytes = stream.update(zeros);
      block = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      next = 0;
    }
    return least + Math.floor((block[next++]! / 2 ** 32) * (most - least + 1));
  };
}
