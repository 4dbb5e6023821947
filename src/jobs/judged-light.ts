// The page's light code in a judgement: from the capture into it, and from it into diagnostics and metrics.
import type { Capture, JudgementDetails, PageHints } from '../challenge/challenge.ts';
import type { JudgedLight } from '../contract/judged-try.ts';
import { LIGHT_SHOWN } from '../contract/screen-light.ts';
import { storedMatch } from '../evaluation/judged-values.ts';
import type { LightInput, ScreenLight } from '../evaluation/liveness/light-evidence.ts';
import { screenLight } from '../evaluation/liveness/screen-light.ts';
import { NOT_JUDGED, observedOutcome } from './observed-outcome.ts';

/** The light code drawn with the script, and whether the page says that it was shown; null if none was drawn. */
export function lightInput({ script }: Pick<Capture, 'script'>, hints: PageHints | null): LightInput | null {
  const shown = LIGHT_SHOWN.find((each) => each === hints?.light) ?? null;
  return script.light ? { ...script.light, shown } : null;
}

/** For the stored diagnostics. */
export function judgedLight({ required, shown, match }: ScreenLight): JudgedLight {
  return { required, shown, match: match && storedMatch(match) };
}

/** For metrics: the outcome of the light check, and its swing (LightMatch.amplitude) if the code was found. */
export interface ObservedLight {
  /** `passed`, `failed`, why the check did not run, or {@link NOT_JUDGED}. */
  readonly outcome: string;
  readonly swing: number | null;
}

export function observedLight({ cues = [], screen_light: light }: JudgementDetails): ObservedLight {
  const outcome = observedOutcome(cues, screenLight.cue) ?? NOT_JUDGED;
  return { outcome, swing: outcome === 'passed' ? (light?.match?.amplitude ?? null) : null };
}
