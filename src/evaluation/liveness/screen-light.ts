// Whether the page's light code is in the light on the skin: what was recorded before its code was drawn does not have it.
// Bright surroundings outshine a screen, which looks the same as a code that is not there: nobody is refused for good.
import { atMost, type Check, explains, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import type { LightMatch } from './light-evidence.ts';

/** What was measured; recorded for whoever decides on `require`, and counts for nothing. */
export const screenLight: Check = { cue: 'screen_light', role: explains(), run: measured };
/** The same where the operator requires it. */
export const screenLightRequired: Check = {
  cue: 'screen_light_required',
  role: gate('spoof'),
  run: required,
};

/**
 * The chance of a video that was made before its code: by the rank among fresh codes, exact; three times it in three tries.
 * Chosen, not measured.
 */
const MAX_P = 0.001;
/** Below this rank there is some sign of the code, and no proof. Chosen, not measured. */
const MAX_P_OF_A_SIGN = 0.05;
/** Standard error of the swing from which a code in light of 2 %, five times that, may be missed. Chosen, not measured. */
const MAX_ERROR = 0.004;

/** Share of fresh codes that fit the light as well as the true one. */
function measured({ light }: CaptureEvidence): Outcome {
  if (!light) return notEvaluated('no_light');
  if (!light.required && light.shown !== null && light.shown !== 'shown')
    return notEvaluated('light_not_shown');
  const { match } = light;
  return match && !isUnclear(match) ? atMost(match.p, MAX_P, 'light_missing') : notEvaluated('light_unclear');
}

function isUnclear({ p, error }: LightMatch): boolean {
  return p > MAX_P && (p <= MAX_P_OF_A_SIGN || error > MAX_ERROR);
}

/** What is unclear is not there: whoever could do without the light would only have to shake the camera. */
function required(evidence: CaptureEvidence): Outcome {
  if (!evidence.light?.required) return notEvaluated('not_applicable');
  const outcome = measured(evidence);
  return outcome.status === 'notEvaluated' ? notEvaluated('light_missing') : outcome;
}
