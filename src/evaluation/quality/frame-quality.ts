// The record of every judged frame with a face: what was measured on it, and which flaws it has.
import { LANDMARK_COUNT } from '../../contract/face-landmarks.ts';
import type { ObservedFace } from '../face/observation.ts';
import type { Frame } from '../video/frame.ts';
import { lowerFaceColourShift, MAX_COLOUR_SHIFT } from './mouth.ts';
import {
  MAX_BURNT_SHARE,
  MIN_BRIGHTNESS,
  MIN_SHARE_OF_SURROUND,
  MIN_SHARPNESS,
  measurePixels,
  type PixelQuality,
} from './pixels.ts';
import { isTurned, MIN_EYE_DISTANCE_PX, MIN_PRESENCE, MIN_TEMPLATE_EYE_DISTANCE_PX } from './pose.ts';

/**
 * What can be wrong with a frame. `too_small`: refused, nothing is read from it; `small`: no template is made of it;
 * `backlit`: the light comes from behind the face; `occluded`: something covers the lower face, the frame's edge cuts the
 * face, or the mesh network is not sure of it.
 */
export const FRAME_FLAWS = [
  'too_small',
  'small',
  'dark',
  'backlit',
  'burnt_out',
  'blurred',
  'turned',
  'occluded',
] as const;
export type FrameFlaw = (typeof FRAME_FLAWS)[number];

/** What was measured on the face of one frame. */
export interface FrameQuality extends PixelQuality {
  /** In the order of FRAME_FLAWS; empty if the frame has none. */
  readonly flaws: readonly FrameFlaw[];
}

/**
 * Share of the mesh outside the frame above which a face counts as cut off; faces that fill a selfie lose a few points.
 * Chosen, not measured.
 */
const MAX_CUT_OFF = 0.1;

/** Measures one face in its frame. */
export function assessFrame(frame: Frame, face: ObservedFace): FrameQuality {
  const pixels = measurePixels(frame, face);
  const turned = isTurned(face);
  const found: Record<FrameFlaw, boolean> = {
    too_small: face.eyeDistancePx < MIN_EYE_DISTANCE_PX,
    small: face.eyeDistancePx < MIN_TEMPLATE_EYE_DISTANCE_PX,
    dark: pixels.brightness < MIN_BRIGHTNESS,
    backlit: pixels.brightness < MIN_SHARE_OF_SURROUND * pixels.surround,
    burnt_out: pixels.burntShare > MAX_BURNT_SHARE,
    blurred: pixels.sharpness < MIN_SHARPNESS,
    turned,
    occluded:
      face.presence < MIN_PRESENCE ||
      cutOff(frame, face.landmarks) > MAX_CUT_OFF ||
      // In a turned face the cheek points fall on the background.
      (!turned && (lowerFaceColourShift(frame, face) ?? 0) > MAX_COLOUR_SHIFT),
  };
  return { ...pixels, flaws: FRAME_FLAWS.filter((flaw) => found[flaw]) };
}

/** Share of the mesh's points that lie outside the frame. */
function cutOff({ width, height }: Frame, landmarks: Float32Array): number {
  let outside = 0;
  for (let i = 0; i < landmarks.length; i += 3) {
    const [x, y] = [landmarks[i]!, landmarks[i + 1]!];
    if (x < 0 || y < 0 || x >= width || y >= height) outside++;
  }
  return outside / LANDMARK_COUNT;
}
