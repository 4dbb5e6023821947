// Looks for the code of the page's light in the changes of the light on the skin: a matched filter over all delays that
// a screen and a camera may have, and the rank of the true code among fresh ones matched in the same way.
import { SYMBOL_MS, symbolOf } from '../../contract/screen-light.ts';
import type { LightMatch, SkinStep } from '../liveness/light-evidence.ts';
import { median, quantile } from '../liveness/statistics.ts';
import { FRESH_CODES, freshCodes } from './fresh-codes.ts';

/** Delays that are searched: what recorders, screens and cameras add up to. Chosen, not measured. */
const MAX_DELAY_MS = 400;
const DELAY_STEP_MS = 20;
/** A frame gathers light for this long before its timestamp. Chosen: 1/30 s, as cameras expose indoors. */
const EXPOSURE_MS = 33;
/**
 * Changes larger than this multiple of the one that nine in ten steps stay below are clipped to it: a blink, a hand, a
 * fast turn. The code itself is in a quarter of the steps. Chosen, not measured.
 */
const CLIP_AT = 1.5;
/** Standard deviations per median absolute deviation of a normal distribution. */
const PER_MAD = 1.4826;
/** Fewer symbols leave too few codes to tell them apart. Chosen, not measured. */
const MIN_SYMBOLS = 16;

/** Looks for the code. Deterministic; null if too little of the light can be read. */
export function matchCode(steps: readonly SkinStep[], code: string): LightMatch | null {
  const last = steps.at(-1);
  if (!last || steps.length < MIN_SYMBOLS) return null;
  const symbols = Math.floor(last.toMs / SYMBOL_MS) + 1;
  if (symbols < MIN_SYMBOLS) return null;
  const changes = clipped(steps);
  // A picture in which nothing changes holds nothing to measure.
  if (changes.every((change) => change === 0)) return null;
  const filters = filtersOf(steps, changes, symbols);
  const best = bestFit(filters, Buffer.from(code, 'hex'), 0);
  const delayMs = best.delay * DELAY_STEP_MS;
  return {
    z: best.z,
    delayMs,
    p: (1 + countFitsAsGood(filters, code, best.z)) / (FRESH_CODES + 1),
    ...amplitudeOf(steps, changes, code, delayMs),
    symbols,
  };
}

/** Changes about their median, outliers clipped. */
function clipped(steps: readonly SkinStep[]): number[] {
  const middle = median(steps.map(({ change }) => change));
  const changes = steps.map(({ change }) => change - middle);
  const limit = CLIP_AT * quantile(changes.map(Math.abs), 0.9);
  return changes.map((change) => Math.min(limit, Math.max(-limit, change)));
}

/** Share of symbol `k` in the light of a frame with timestamp `timeMs`. */
function shareOf(k: number, timeMs: number): number {
  const from = Math.max(timeMs - EXPOSURE_MS, k * SYMBOL_MS);
  const to = Math.min(timeMs, (k + 1) * SYMBOL_MS);
  return Math.max(0, to - from) / EXPOSURE_MS;
}

/**
 * The matched filter of every delay. What eight symbols add to a code's fit is looked up by their byte, so that each of
 * ten thousand codes takes only a few sums: `sums[(delay · bytes + i) · 256 + byte]`.
 */
interface Filters {
  readonly delays: number;
  readonly bytes: number;
  readonly sums: Float64Array;
}

function filtersOf(steps: readonly SkinStep[], changes: readonly number[], symbols: number): Filters {
  const delays = MAX_DELAY_MS / DELAY_STEP_MS + 1;
  const bytes = Math.ceil(symbols / 8);
  const sums = new Float64Array(delays * bytes * 256);
  for (let delay = 0; delay < delays; delay++) {
    const filter = filterAt(steps, changes, delay * DELAY_STEP_MS, symbols);
    for (let i = 0; i < bytes; i++)
      addByteSums(filter.subarray(i * 8, i * 8 + 8), sums.subarray((delay * bytes + i) * 256));
  }
  return { delays, bytes, sums };
}

/**
 * What each symbol adds to a code's fit at this delay, scaled so that the fits of random codes have variance 1: the sum
 * over the steps of change × (share of the symbol after − share before).
 */
function filterAt(
  steps: readonly SkinStep[],
  changes: readonly number[],
  delayMs: number,
  symbols: number,
): Float64Array {
  const filter = new Float64Array(symbols);
  for (let i = 0; i < steps.length; i++) {
    addShares(filter, steps[i]!.toMs - delayMs, changes[i]!);
    addShares(filter, steps[i]!.fromMs - delayMs, -changes[i]!);
  }
  let squares = 0;
  for (const weight of filter) squares += weight * weight;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return filter.map((weight) => weight * scale);
}

/** An exposure is shorter than a symbol, so at most two symbols share it. */
function addShares(filter: Float64Array, timeMs: number, change: number): void {
  const k = Math.floor(timeMs / SYMBOL_MS);
  for (const each of [k - 1, k])
    if (each >= 0 && each < filter.length) filter[each]! += change * shareOf(each, timeMs);
}

/** Eight weights → what they add up to under the signs of each byte. */
function addByteSums(weights: Float64Array, sums: Float64Array): void {
  for (let byte = 0; byte < 256; byte++)
    for (let bit = 0; bit < weights.length; bit++)
      sums[byte]! += (byte >> (7 - bit)) & 1 ? weights[bit]! : -weights[bit]!;
}

/** Best fit over all delays of the code that begins at `from`. */
function bestFit({ delays, bytes, sums }: Filters, codes: Uint8Array, from: number) {
  let z = Number.NEGATIVE_INFINITY;
  let best = 0;
  for (let delay = 0, base = 0; delay < delays; delay++) {
    let sum = 0;
    for (let i = 0; i < bytes; i++, base += 256) sum += sums[base + codes[from + i]!]!;
    if (sum > z) {
      z = sum;
      best = delay;
    }
  }
  return { z, delay: best };
}

/** How many fresh codes fit as well as the true one. */
function countFitsAsGood(filters: Filters, code: string, z: number): number {
  const fresh = freshCodes(code, filters.bytes);
  let asGood = 0;
  for (let i = 0; i < FRESH_CODES; i++) if (bestFit(filters, fresh, i * filters.bytes).z >= z) asGood++;
  return asGood;
}

/** Least-squares fit of the changes to the code's own at that delay; the error comes from the residuals. */
function amplitudeOf(
  steps: readonly SkinStep[],
  changes: readonly number[],
  code: string,
  delayMs: number,
): { amplitude: number; error: number } {
  const own = steps.map(
    ({ fromMs, toMs }) => lightAt(code, toMs - delayMs) - lightAt(code, fromMs - delayMs),
  );
  const squares = own.reduce((sum, each) => sum + each * each, 0);
  const amplitude = own.reduce((sum, each, i) => sum + each * changes[i]!, 0) / squares;
  const noise = PER_MAD * median(own.map((each, i) => Math.abs(changes[i]! - amplitude * each)));
  return { amplitude, error: noise / Math.sqrt(squares) };
}

/** The code as a frame with that timestamp sees it, −1 to 1. */
function lightAt(code: string, timeMs: number): number {
  const k = Math.floor(timeMs / SYMBOL_MS);
  return symbolOf(code, k) * shareOf(k, timeMs) + symbolOf(code, k - 1) * shareOf(k - 1, timeMs);
}
