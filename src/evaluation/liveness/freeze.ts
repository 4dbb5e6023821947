// Detects a picture that stands still, by the share of source frames that show nothing new.

import { asksForMovement } from '../../contract/script.ts';
import { atMost, type Check, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import { repeatsOf } from './thumbnails.ts';
import { unlessUnclear } from './visibility.ts';

/** Stills 0.85–1.0, live ≤ 0.10 (liveness bench; docs/liveness.md). */
const MAX_FROZEN_SHARE = 0.5;

export const freeze: Check = {
  cue: 'freeze',
  role: gate('spoof'),
  refuses: [],
  stays: 'a still picture is final evidence, where a missed prompt is not',
  run,
};

/**
 * Share of source frames, 0–1, that repeat the frame before; the first counts as new. If a recorder writes each picture
 * twice, the share never exceeds a half, whether the video ends after the first copy or the second. A camera's noise
 * hides a still: see rigid.ts. A coder that is short of bits repeats a person who was not asked to move, and who keeps
 * still: that is no evidence of a photograph.
 */
function run(evidence: CaptureEvidence): Outcome {
  const repeats = repeatsOf(evidence.clip);
  const frozen = repeats.filter(Boolean).length;
  const outcome = atMost(frozen / repeats.length, MAX_FROZEN_SHARE, 'frozen');
  if (outcome.status === 'failed' && !asksForMovement(evidence.script)) return notEvaluated('too_still');
  return unlessUnclear(evidence, outcome);
}
