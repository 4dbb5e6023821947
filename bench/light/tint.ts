// Adds a light code to footage as a screen would: red against blue, on the face alone, seen by a camera with an
// exposure time and pixel noise. Or as an attacker's program would: on the whole picture alike.
import { SYMBOL_MS, symbolOf } from '../../src/contract/screen-light.ts';
import type { FaceObservation } from '../../src/evaluation/face/observation.ts';
import type { Frame } from '../../src/evaluation/video/frame.ts';
import { levelsUnder } from '../attacks/lit.ts';
import type { Chance } from '../attacks/random.ts';

/** The light on a take. */
export interface Tint {
  readonly code: string;
  /** Amplitude of ln(red / blue) of the light around its mean. */
  readonly swing: number;
  /** Delay from a symbol's time to its light. */
  readonly delayMs: number;
  /** Whether the light is on the whole picture, as when a program tinted it. */
  readonly flat: boolean;
}

const EXPOSURE_MS = 33;
/**
 * Standard deviation of each pixel's noise in grey levels. As in a camera, it also dithers changes smaller than a
 * level.
 */
const NOISE = 1.5;
const NOISE_LENGTH = 1 << 18;

/** The mean of the code over the exposure of a frame with timestamp `timeMs`, −1 to 1. */
export function lightAt(code: string, timeMs: number): number {
  let sum = 0;
  for (let ms = 0; ms < EXPOSURE_MS; ms++) sum += symbolOf(code, Math.floor((timeMs - ms) / SYMBOL_MS));
  return sum / EXPOSURE_MS;
}

/** The frames as recorded under the light. */
export function* tinted(
  frames: readonly Frame[],
  observations: readonly FaceObservation[],
  { code, swing, delayMs, flat }: Tint,
  chance: Chance,
): Generator<Frame> {
  const noise = Float32Array.from({ length: NOISE_LENGTH }, () => chance.normal() * NOISE);
  for (const [i, frame] of frames.entries()) {
    const light = swing * lightAt(code, frame.timeMs - delayMs);
    const red = levelsUnder(Math.exp(light / 2));
    const blue = levelsUnder(Math.exp(-light / 2));
    const rgb = new Uint8Array(frame.rgb.length);
    const mask = flat ? null : faceMask(frame, observations[i]!);
    lay(frame.rgb, rgb, { red, blue, mask, noise, from: chance.integer(0, NOISE_LENGTH - 1) });
    yield { ...frame, rgb };
  }
}

function lay(
  from: Uint8Array,
  to: Uint8Array,
  light: {
    red: Float32Array;
    blue: Float32Array;
    mask: Float32Array | null;
    noise: Float32Array;
    from: number;
  },
): void {
  const { red, blue, mask, noise } = light;
  let at = light.from;
  for (let i = 0, pixel = 0; i < from.length; i += 3, pixel++) {
    const share = mask ? mask[pixel]! : 1;
    for (let channel = 0; channel < 3; channel++) {
      const byte = from[i + channel]!;
      const change = channel === 0 ? red[byte]! : channel === 2 ? blue[byte]! : 0;
      const value = Math.round(byte + share * change + noise[at]!);
      to[i + channel] = value < 0 ? 0 : value > 255 ? 255 : value;
      at = (at + 1) & (NOISE_LENGTH - 1);
    }
  }
}

/** 1 on the face, falling to 0 over the outer fifth of its box; 0 everywhere without a face. */
function faceMask({ width, height }: Frame, { face }: FaceObservation): Float32Array {
  const mask = new Float32Array(width * height);
  if (!face) return mask;
  const { x, y, width: w, height: h } = face.box;
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(height, y + h); row++) {
    const v = (row + 0.5 - y - h / 2) / (h / 2);
    for (let column = Math.max(0, Math.floor(x)); column < Math.min(width, x + w); column++) {
      const u = (column + 0.5 - x - w / 2) / (w / 2);
      mask[row * width + column] = Math.min(1, Math.max(0, (1 - Math.hypot(u, v)) / 0.2));
    }
  }
  return mask;
}
