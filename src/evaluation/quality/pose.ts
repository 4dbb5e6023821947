// Which frames can represent the capture subject: frontal face, eyes open, calm. Judged by the mesh alone.
import type { ObservedFace } from '../face/observation.ts';

/**
 * Least eye distance for a template: below it, most of the recogniser's 112² crop is interpolated. Chosen, not
 * measured.
 */
export const MIN_TEMPLATE_EYE_DISTANCE_PX = 40;
/**
 * Least eye distance at which a face is examined at all. Photographs that an operator compares offline are accepted
 * down to here, because those of a database are small (LFW's measure about 40) and the operator chose the file. Chosen,
 * not measured.
 */
export const MIN_EYE_DISTANCE_PX = 25;

/** Beyond this apparent yaw half of the face is hidden; still talkers stay below 0.25 (quality bench). */
const MAX_YAW = 0.3;
/** A broad smile alone reaches −0.49: the mouth corners rise towards the nose. */
const MAX_PITCH = 0.6;
/**
 * A mesh laid wrongly over a profile still reports 0.89, one over a dog 0.906–0.9973. Faces report 0.99986 and more
 * (420 photographs of LFW and frontal frames of nine clips, including dark, blurred, small and covered ones).
 */
export const MIN_PRESENCE = 0.999;
/** Eyes in a blink measure 0.11–0.21, open ones 0.28 and more. */
const MIN_EYES_OPEN = 0.22;

/** Whether the head is turned or nodded too far for a template. */
export function isTurned(face: ObservedFace): boolean {
  return Math.abs(face.yaw) > MAX_YAW || isPitched(face);
}

/** Whether the head is nodded too far, up or down. */
export function isPitched({ pitch }: ObservedFace): boolean {
  return Math.abs(pitch) > MAX_PITCH;
}

/** Whether a template may be made of this face, judged by its mesh. */
export function isFrontal(face: ObservedFace): boolean {
  return !isTurned(face) && face.presence >= MIN_PRESENCE;
}

/** Score of a face as a portrait: 0 is ideal, every flaw lowers it. */
export function portraitScore(face: ObservedFace): number {
  const shut = face.eyesOpen < MIN_EYES_OPEN ? 0.5 : 0;
  return -Math.abs(face.yaw) - Math.abs(face.pitch) / 2 - face.happy / 5 - face.mouthOpen / 2 - shut;
}
