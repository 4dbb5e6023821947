// The learned model that an operator may supply (PAD_PACK): its decision is a gate, at the pack's own threshold.
import { atLeast, gate, notEvaluated, type Outcome, type VideoCheck } from './cue.ts';
import type { VideoEvidence } from './evidence.ts';

export const padPack: VideoCheck = { cue: 'pad_pack', role: gate('spoof'), run };

function run({ pad }: VideoEvidence): Outcome {
  return pad ? atLeast(pad.live, pad.threshold, 'pad_pack') : notEvaluated('not_applicable');
}
