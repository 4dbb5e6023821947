// Every check of a capture, in the order in which the diagnostics show them.
import { blink } from './blink.ts';
import { container } from './container.ts';
import { contrary } from './contrary.ts';
import type { Check, Cue, Evidence } from './cue.ts';
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
import { coverage, foresight, neutralStart, reaction, smile, turn } from './prompt-checks.ts';
import { rigid } from './rigid.ts';
import { samePerson } from './same-person.ts';
import { surround } from './surround.ts';
import { timestamps } from './timestamps.ts';

const CHECKS: readonly Check[] = [
  facePresent,
  oneFace,
  faceSize,
  frontal,
  brightness,
  burntOut,
  sharpness,
  mouthVisible,
  samePerson,
  neutralStart,
  smile,
  turn,
  coverage,
  reaction,
  foresight,
  contrary,
  freeze,
  loop,
  rigid,
  cut,
  blink,
  parallax,
  surround,
  earlierUpload,
  elapsed,
  container,
  timestamps,
  padPack,
];

/** Runs all checks. Pure and deterministic. */
export function runChecks(evidence: Evidence): Cue[] {
  return CHECKS.map((check) => check(evidence));
}
