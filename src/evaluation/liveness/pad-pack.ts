// The learned PAD network (PAD_PACK): whether the pixels show a face or a picture of one, at the pack's own threshold.
// A gate whose refusal allows another try, because one soft network must not refuse anybody permanently.
import { atLeast, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';
import { unlessUnclear } from './visibility.ts';

export const padPack: VideoCheck = {
  cue: 'pad_pack',
  role: gate('spoof'),
  refuses: ['screen_replay_passive', 'filmed_replay'],
  run,
};

function run(evidence: VideoEvidence): Outcome {
  const { pad } = evidence;
  if (!pad) return notEvaluated('no_pad_pack');
  if (pad.live === null) return notEvaluated('face_missing');
  // In the dark or far away, a face looks like a picture to the network; the reason is then what to improve.
  return unlessUnclear(evidence, atLeast(pad.live, pad.threshold, 'pad_pack'));
}
