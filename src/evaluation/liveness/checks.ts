// Every check of a capture; their cues in the order in which the diagnostics show them.
import { blink } from './blink.ts';
import { container } from './container.ts';
import { contrary } from './contrary.ts';
import { type Check, CUE_NAMES, type Cue, type Evidence, type Shown } from './cue.ts';
import { cut } from './cut.ts';
import { earlierUpload } from './earlier-upload.ts';
import { elapsed } from './elapsed.ts';
import {
  brightness,
  burntOut,
  facePresent,
  faceSize,
  frontal,
  mouthVisible,
  oneFace,
  sharpness,
} from './face-checks.ts';
import { freeze } from './freeze.ts';
import { loop } from './loop.ts';
import { padPack } from './pad-pack.ts';
import { parallax } from './parallax.ts';
import { coverage, foresight, neutralKept, neutralStart, reaction, smile, turn } from './prompt-checks.ts';
import { rigid } from './rigid.ts';
import { samePerson } from './same-person.ts';
import { surround } from './surround.ts';
import { timestamps } from './timestamps.ts';

/** What the video alone tells: the same whatever it is held against. */
const OF_THE_VIDEO: readonly Check<Shown>[] = [
  ...[facePresent, oneFace, faceSize, frontal, brightness, burntOut, sharpness, mouthVisible, samePerson],
  ...[freeze, loop, rigid, cut, blink, surround, padPack],
];
/** What it tells against its script, and against how it came in. */
const OF_THE_ANSWERS: readonly Check[] = [
  ...[neutralStart, neutralKept, smile, turn, coverage, reaction, foresight, contrary, parallax],
  ...[earlierUpload, elapsed, container, timestamps],
];

/** The checks that neither script nor submission can change; for footage that is held against many scripts. */
export function checkVideo(shown: Shown): Cue[] {
  return OF_THE_VIDEO.map((check) => check(shown));
}

/** Runs all checks, but for those of the video where `ofTheVideo` has them. Pure and deterministic. */
export function runChecks(evidence: Evidence, ofTheVideo: readonly Cue[] = checkVideo(evidence)): Cue[] {
  const cues = [...ofTheVideo, ...OF_THE_ANSWERS.map((check) => check(evidence))];
  return cues.sort((a, b) => CUE_NAMES.indexOf(a.cue) - CUE_NAMES.indexOf(b.cue));
}
