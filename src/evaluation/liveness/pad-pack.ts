// The learned model that an operator may supply (PAD_PACK): its word is a gate, as the pack's own threshold has it.
import { atLeast, type Check, notEvaluated, type Shown } from './cue.ts';

export const padPack: Check<Shown> = ({ pad }) =>
  pad ? atLeast('pad_pack', pad.live, pad.threshold, 'pad_pack') : notEvaluated('pad_pack', 'not_applicable');
