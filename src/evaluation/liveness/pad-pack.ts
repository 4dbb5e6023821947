// The learned network (PAD_PACK): whether the pixels of the face are those of a face or of its picture, at the pack's own
// threshold. A gate whose refusal may be tried again: one soft network refuses nobody for good.
import { atLeast, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { whereSeen } from './visibility.ts';

export const padPack: VideoCheck = { cue: 'pad_pack', role: gate('spoof'), run };

function run(evidence: VideoEvidence): Outcome {
  const { pad } = evidence;
  if (!pad) return notEvaluated('no_pad_pack');
  if (pad.live === null) return notEvaluated('face_missing');
  // In the dark or far away a face looks like a picture to it: then what to improve is the reason.
  return whereSeen(evidence, atLeast(pad.live, pad.threshold, 'pad_pack'));
}
