// The portraits of a capture → the scores of the operator's PAD pack.
import type { PadModel, PadNetworkSpec } from '../../models/packs/pad-pack.ts';
import { cropRgb, squareCrop } from '../face/crop.ts';
import type { FaceBox } from '../face/observation.ts';
import type { PadScore } from '../liveness/pad-score.ts';
import type { Portrait } from '../quality/select.ts';
import { fillInput } from '../recognition/embed.ts';
import type { Frame } from '../video/frame.ts';

/** Mean probability of the live class over all networks and portraits; null without a pack or a portrait. */
export async function scorePortraits(
  pad: PadModel | null,
  portraits: readonly Portrait[],
): Promise<PadScore | null> {
  if (!pad || portraits.length === 0) return null;
  let sum = 0;
  for (const { spec, run } of pad.networks) {
    for (const { frame, face } of portraits)
      sum += liveProbability(await run(inputOf(frame, face.box, spec), 1), spec);
  }
  return { live: sum / (pad.networks.length * portraits.length), threshold: pad.manifest.threshold };
}

function inputOf(frame: Frame, box: FaceBox, spec: PadNetworkSpec): Float32Array {
  const { input_size: side } = spec;
  const { x, y, size } = cropInside(frame, box, spec.crop_scale);
  const pixels = new Float32Array(3 * side * side);
  cropRgb(frame, squareCrop(x, y, size, 0, side), side, { gain: 1, offset: 0 }, pixels);
  const input = new Float32Array(pixels.length);
  fillInput(pixels, spec, false, input);
  return input;
}

/** Centre and side of the square; moved, then shrunk, into the frame: such networks are not trained on borders. */
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
  // The largest is taken off so that no exponential overflows.
  const largest = Math.max(...output);
  const total = output.reduce((sum, each) => sum + Math.exp(each - largest), 0);
  return Math.exp(value - largest) / total;
}
