// Every check of a capture, in the order in which the diagnostics show them.
import { blink } from './blink.ts';
import type { Check, Cue, Evidence } from './cue.ts';
import { cut } from './cut.ts';
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
import { coverage, neutralStart, reaction, smile, turn } from './prompt-checks.ts';
import { rigid } from './rigid.ts';
import { samePerson } from './same-person.ts';

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
  freeze,
  loop,
  rigid,
  cut,
  blink,
];

/** Runs all checks. Pure and deterministic. */
export function runChecks(evidence: Evidence): Cue[] {
  return CHECKS.map((check) => check(evidence));
}
