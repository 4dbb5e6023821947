// Every check of a capture, in the order in which the diagnostics show their cues.
import { announced, promptKnown, promptLead, promptLeadRequired } from './announced.ts';
import type { Check, Cue, VideoCheck } from './cue.ts';
import { earlierUpload } from './earlier-upload.ts';
import { elapsed } from './elapsed.ts';
import type { CaptureEvidence, VideoEvidence } from './evidence.ts';
import {
  brightness,
  burntOut,
  colour,
  facePresent,
  faceSize,
  frontal,
  light,
  mouthVisible,
  oneFace,
  sharpness,
} from './face-checks.ts';
import { freeze } from './freeze.ts';
import { loop } from './loop.ts';
import { padPack } from './pad-pack.ts';
import { ANSWER_CHECKS, contrary, coverage, foresight, neutralKept, targetChance } from './prompt-checks.ts';
import { rigid } from './rigid.ts';
import { samePerson, samePersonThroughout } from './same-person.ts';
import { crossFade, hardCut } from './seams.ts';
import { cutAtPrompts, detailAtPrompts } from './seams-at-prompts.ts';
import { faceInView, pictureAlive, pictureKept } from './view.ts';

/** Checks of the video alone; their outcomes do not depend on the script. */
const VIDEO_CHECKS: readonly VideoCheck[] = [
  facePresent,
  oneFace,
  faceSize,
  frontal,
  brightness,
  light,
  burntOut,
  colour,
  sharpness,
  mouthVisible,
  samePerson,
  samePersonThroughout,
  faceInView,
  pictureKept,
  pictureAlive,
  hardCut,
  crossFade,
  loop,
  padPack,
];
/** Checks of the video against its script and its submission. */
const CAPTURE_CHECKS: readonly Check[] = [
  ...ANSWER_CHECKS,
  targetChance,
  cutAtPrompts,
  detailAtPrompts,
  freeze,
  rigid,
  neutralKept,
  coverage,
  foresight,
  contrary,
  earlierUpload,
  elapsed,
  announced,
  promptKnown,
  promptLead,
  promptLeadRequired,
];

/** Every check. */
export const CHECKS: readonly Check[] = [...VIDEO_CHECKS, ...CAPTURE_CHECKS];

/** Runs the checks that neither script nor submission can change, for footage that is judged against many scripts. */
export function checkVideo(evidence: VideoEvidence): Cue[] {
  return VIDEO_CHECKS.map(({ cue, run }) => ({ cue, ...run(evidence) }));
}

/** Runs all checks, except those of the video if `videoCues` supplies them. Pure and deterministic. */
export function runChecks(
  evidence: CaptureEvidence,
  videoCues: readonly Cue[] = checkVideo(evidence),
): Cue[] {
  return [...videoCues, ...CAPTURE_CHECKS.map(({ cue, run }) => ({ cue, ...run(evidence) }))];
}
