// Scores the faces of a capture with the PAD pack.
import type { PadModel, PadNetworkSpec } from '../../models/packs/pad-pack.ts';
import { cropRgb, squareCrop } from '../face/crop.ts';
import type { FaceBox, FaceObservation, ObservedFace } from '../face/observation.ts';
import type { PadScore } from '../liveness/pad-score.ts';
import { median } from '../liveness/statistics.ts';
import { fillInput } from '../recognition/embed.ts';
import { withScratch, withScratchSync } from '../scratch.ts';
import type { Frame } from '../video/frame.ts';
import { withoutBars } from './bars.ts';
import { boxInside, cropRectangle } from './crop-rectangle.ts';

/**
 * One face per interval is scored, turned and smiling ones included. Scoring twice as many changes no outcome. The five
 * portraits would tell as well, but they are chosen by qualities that a picture of a face shows too (docs/decisions/0022).
 */
const EVERY_MS = 500;

/** Scores some of the faces of a capture whose frames arrive one by one. */
export class FaceScorer {
  readonly #pad: PadModel | null;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(pad: PadModel | null) {
    this.#pad = pad;
  }

  /** Score of the face in the next frame; null if that face is not to be scored, or without a pack. */
  async score(frame: Frame, { face, timeMs }: FaceObservation): Promise<number | null> {
    if (!this.#pad || !face || timeMs < this.#nextMs) return null;
    this.#nextMs = timeMs + EVERY_MS;
    return scoreFace(this.#pad, frame, face);
  }
}

/**
 * Median over the scored faces, because in a replay filmed off a screen a third of the frames look alive for a while,
 * which lifts the mean to 0.37 but the median only to 0.05. Null without a pack.
 */
export function padScore(pad: PadModel | null, scores: readonly (number | null)[]): PadScore | null {
  if (!pad) return null;
  const scored = scores.filter((score) => score !== null);
  return { live: scored.length > 0 ? median(scored) : null, threshold: pad.manifest.threshold };
}

/**
 * Mean probability of the live class for one face, over the pack's networks, which see it upright and without bars: a
 * recording may lie on its side without saying so.
 */
export async function scoreFace(
  pad: PadModel,
  whole: Frame,
  face: Pick<ObservedFace, 'box' | 'roll'>,
): Promise<number> {
  const { frame, left, top } = withoutBars(whole);
  const box = { ...face.box, x: face.box.x - left, y: face.box.y - top };
  const quarters = (Math.round(face.roll / (Math.PI / 2)) + 4) % 4;
  let sum = 0;
  for (const { spec, run } of pad.networks) {
    const output = await withScratch(3 * spec.input_size ** 2, (input) => {
      fillFrom(frame, box, quarters, spec, input);
      return run(input, 1);
    });
    sum += liveProbability(output, spec);
  }
  return sum / pad.networks.length;
}

function fillFrom(
  frame: Frame,
  box: FaceBox,
  quarters: number,
  spec: PadNetworkSpec,
  input: Float32Array,
): void {
  const { input_size: side, crop_scale: scale } = spec;
  withScratchSync(3 * side * side, (pixels) => {
    if (spec.crop_shape === 'box') cropRectangle(frame, boxInside(frame, box, scale), side, pixels);
    else {
      const { x, y, size } = cropInside(frame, box, scale);
      cropRgb(frame, squareCrop(x, y, size, 0, side), side, { gain: 1, offset: 0 }, pixels);
    }
    for (let turn = 0; turn < quarters; turn++) turnLeft(pixels, side);
    fillInput(pixels, spec, false, input);
  });
}

/** Turns a planar picture by a quarter, anticlockwise. */
function turnLeft(pixels: Float32Array, side: number): void {
  const plane = side * side;
  withScratchSync(plane, (turned) => {
    for (let from = 0; from < 3 * plane; from += plane) {
      for (let row = 0; row < side; row++)
        for (let x = 0; x < side; x++) turned[row * side + x] = pixels[from + x * side + (side - 1 - row)]!;
      pixels.set(turned.subarray(0, plane), from);
    }
  });
}

/**
 * Centre and side of the square crop, shrunk and moved to lie inside the frame: such networks are not trained on
 * borders.
 */
export function cropInside(
  { width, height }: Pick<Frame, 'width' | 'height'>,
  box: FaceBox,
  cropScale: number,
): { x: number; y: number; size: number } {
  const size = Math.min(cropScale * Math.max(box.width, box.height), width, height);
  const inside = (centre: number, extent: number) => Math.min(extent - size / 2, Math.max(size / 2, centre));
  return { x: inside(box.x + box.width / 2, width), y: inside(box.y + box.height / 2, height), size };
}

function liveProbability(output: Float32Array, { live_class, activation }: PadNetworkSpec): number {
  const value = output[live_class]!;
  if (activation === 'none') return value;
  if (activation === 'sigmoid') return 1 / (1 + Math.exp(-value));
  // The largest value is subtracted so that no exponential overflows.
  const largest = Math.max(...output);
  const total = output.reduce((sum, each) => sum + Math.exp(each - largest), 0);
  return Math.exp(value - largest) / total;
}
