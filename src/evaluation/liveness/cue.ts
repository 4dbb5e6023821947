// The one shape of every check, and what all checks read.

import type { Script } from '../../contract/script.ts';
import type { FaceObservation } from '../face/observation.ts';
import type { Selection } from '../quality/select.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Clip } from '../video/clip.ts';
import type { Motion } from './motion/measure.ts';
import type { PadScore } from './pad-score.ts';
import type { Submission } from './submission.ts';

export const CUE_NAMES = [
  'face_present',
  'one_face',
  'face_size',
  'frontal',
  'brightness',
  'burnt_out',
  'sharpness',
  'mouth_visible',
  'same_person',
  'neutral_start',
  'neutral_kept',
  'smile',
  'turn',
  'coverage',
  'reaction',
  'foresight',
  'contrary',
  'freeze',
  'loop',
  'rigid',
  'cut',
  'blink',
  'parallax',
  'surround',
  'earlier_upload',
  'elapsed',
  'container',
  'timestamps',
  'pad_pack',
] as const;
export type CueName = (typeof CUE_NAMES)[number];

/** One check's outcome. `value` and `threshold` are in the unit that the check's file names. */
export type Cue =
  | {
      readonly cue: CueName;
      readonly status: 'passed';
      readonly value: number;
      readonly threshold: number;
      readonly reason: null;
    }
  | {
      readonly cue: CueName;
      readonly status: 'failed';
      readonly value: number;
      readonly threshold: number;
      readonly reason: ReasonCode;
    }
  | {
      readonly cue: CueName;
      readonly status: 'notEvaluated';
      readonly value: null;
      readonly threshold: null;
      readonly reason: ReasonCode;
    };

/** All that a capture shows. The same may be held against any script. */
export interface Shown {
  readonly clip: Clip;
  readonly observations: readonly FaceObservation[];
  readonly selection: Selection;
  /** Embeddings of the selection's portraits, in their order. */
  readonly embeddings: readonly Float32Array[];
  /** Least cosine of a portrait to the others of one person, by the pack that made the embeddings. */
  readonly samePersonCosine: number;
  /** Cosines of the faces on both sides of the clip's largest jumps (across-jumps.ts). */
  readonly jumpCosines: readonly number[];
  readonly motion: Motion;
  /** Null where no PAD pack is installed, or no portrait was found. */
  readonly pad: PadScore | null;
}

/** What is known of a capture when its checks run: from the video and the server's own clock, nothing from the browser. */
export interface Evidence extends Shown {
  /** Null: no prompts were given, the passive checks alone decide. */
  readonly script: Script | null;
  /** Null for a file that was not submitted to a challenge. */
  readonly submission: Submission | null;
}

/** A check. Pure. What it does not ask for cannot change its outcome. */
export type Check<Read extends Shown = Evidence> = (evidence: Read) => Cue;

/** Passed when `value` reaches `threshold`. */
export function atLeast(cue: CueName, value: number, threshold: number, reason: ReasonCode): Cue {
  return value >= threshold
    ? { cue, status: 'passed', value, threshold, reason: null }
    : { cue, status: 'failed', value, threshold, reason };
}

/** Passed when `value` does not exceed `threshold`. */
export function atMost(cue: CueName, value: number, threshold: number, reason: ReasonCode): Cue {
  return value <= threshold
    ? { cue, status: 'passed', value, threshold, reason: null }
    : { cue, status: 'failed', value, threshold, reason };
}

export function notEvaluated(cue: CueName, reason: ReasonCode): Cue {
  return { cue, status: 'notEvaluated', value: null, threshold: null, reason };
}
