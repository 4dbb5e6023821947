// Hashes of a video's frames, by which the same footage is recognised without being stored. The caller keys them (HMAC
// under the account's key) before storing anything, because the bare hash of a picture can be found by trying pictures.
import { createHash } from 'node:crypto';
import { type Clip, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from '../video/clip.ts';

const FRAME_BYTES = THUMBNAIL_WIDTH * THUMBNAIL_HEIGHT;
/**
 * Prints per video. The smallest hashes are taken, wherever they occur, so that a video that was cut keeps its share of
 * them (Broder 1997, min-wise sampling). Chosen, not measured.
 */
const MAX_PRINTS = 24;
/** With fewer distinct frames there is nothing to recognise. Chosen, not measured. */
const MIN_PRINTS = 6;
/**
 * Standard deviation that a frame's thumbnail must have, in grey levels: black and white frames are the same in every
 * take. Chosen, not measured.
 */
const MIN_DEVIATION = 6;

/** SHA-256 of the chosen frames' thumbnails, without duplicates, smallest first; empty if too few differ. */
export function sequencePrints({ thumbnails, sourceFrameCount }: Clip): Buffer[] {
  const prints = new Map<string, Buffer>();
  for (let i = 0; i < sourceFrameCount; i++) {
    const frame = thumbnails.subarray(i * FRAME_BYTES, (i + 1) * FRAME_BYTES);
    if (deviation(frame) < MIN_DEVIATION) continue;
    const print = createHash('sha256').update(frame).digest();
    prints.set(print.toString('latin1'), print);
  }
  if (prints.size < MIN_PRINTS) return [];
  return [...prints.values()].sort(Buffer.compare).slice(0, MAX_PRINTS);
}

function deviation(frame: Uint8Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of frame) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / frame.length;
  return Math.sqrt(squares / frame.length - mean * mean);
}
