// Whether the light on the skin carries the page's light code; a recording made before the code was drawn does not.
// Bright surroundings outshine a screen, which looks the same as a missing code, so nobody is refused permanently.
import { atMost, type Check, explains, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import type { LightMatch } from './light-evidence.ts';

/** The measurement alone. It decides nothing and is recorded for operators who consider `require`. */
export const screenLight: Check = { cue: 'screen_light', role: explains(), run: measured };
/** The same where the operator requires it. */
export const screenLightRequired: Check = {
  cue: 'screen_light_required',
  role: gate('spoof'),
  run: required,
};

/**
 * Chance of passing for a video made before its code: exact, by the rank among fresh codes; three times as high over
 * three tries. Chosen, not measured.
 */
const MAX_P = 0.001;
/** Up to this rank there is some sign of the code, but no proof. Chosen, not measured. */
const MAX_UNCLEAR_P = 0.05;
/**
 * Standard error of the amplitude above which a code in light of 2 %, five times that, may be missed. Chosen, not
 * measured.
 */
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
  return p > MAX_P && (p <= MAX_UNCLEAR_P || error > MAX_ERROR);
}

/**
 * An unclear measurement counts as a missing code. Otherwise it would be enough to shake the camera to avoid the check.
 */
function required(evidence: CaptureEvidence): Outcome {
  if (!evidence.light?.required) return notEvaluated('not_applicable');
  const outcome = measured(evidence);
  return outcome.status === 'notEvaluated' ? notEvaluated('light_missing') : outcome;
}
