// How the light on the skin changed, and how well the page's light code fits; made by src/evaluation/light, read by
// screen-light.ts.
import type { DrawnLight, LightShown } from '../../contract/screen-light.ts';

/** A step from one judged frame to the next one with a face. */
export interface SkinStep {
  readonly fromMs: number;
  readonly toMs: number;
  /** Change of ln(red / blue) of the light on the skin: 0.02 where red grew by 1 % and blue fell by 1 %. */
  readonly change: number;
}

/** How well one code fits the light on the skin. */
export interface LightMatch {
  /** Best fit over the delays, in standard deviations of the fits that arbitrary codes reach at that delay. */
  readonly z: number;
  /** Time from a symbol on the recording's clock to its light in the video. */
  readonly delayMs: number;
  /**
   * Share of fresh codes that fit equally well, counting the true one; at least 1 in 10,001. For a video made before
   * its code was drawn, every value is equally likely, so the chance of staying below a threshold equals the threshold.
   */
  readonly p: number;
  /** Amplitude of the light: ln(red / blue) rises and falls by this much about its middle with the code. */
  readonly amplitude: number;
  /** Standard error of `amplitude`, from the noise of the steps. */
  readonly error: number;
  /** Number of symbols that the video shows. */
  readonly symbols: number;
}

/** What the server knows about a capture's light. */
export interface LightInput extends DrawnLight {
  /**
   * Whether the page says that it showed the light; null if it does not say. Believed only where nothing depends on it.
   */
  readonly shown: LightShown | null;
}

export interface ScreenLight extends Pick<LightInput, 'required' | 'shown'> {
  /** Null if too little of the light on the skin could be read. */
  readonly match: LightMatch | null;
}
