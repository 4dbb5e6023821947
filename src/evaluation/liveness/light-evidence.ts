// What of the page's light was seen on the skin, and how its code fits; made by src/evaluation/light, read by screen-light.ts.
import type { DrawnLight, LightShown } from '../../contract/screen-light.ts';

/** From one judged frame to the next one with a face. */
export interface SkinStep {
  readonly fromMs: number;
  readonly toMs: number;
  /** Change of ln(red / blue) of the light on the skin: .02 where red grew by 1 % and blue fell by 1 %. */
  readonly change: number;
}

/** How well one code fits the light on the skin. */
export interface LightMatch {
  /** Best fit over the delays, in standard deviations of what any code reaches at that delay. */
  readonly z: number;
  /** From a symbol's time on the recording's clock to its light in the video. */
  readonly delayMs: number;
  /**
   * Share of fresh codes that fit as well, the true one counted among them: no less than 1 in 10,001. For a video made
   * before its code was drawn every value is equally likely: its chance to stay below a threshold is the threshold.
   */
  readonly p: number;
  /** Swing of the light: by so much ln(red / blue) rises and falls about its middle with the code. */
  readonly amplitude: number;
  /** Standard error of `amplitude`, from the noise of the steps. */
  readonly error: number;
  /** Symbols that the video shows. */
  readonly symbols: number;
}

/** What the server knows of a capture's light. */
export interface LightInput extends DrawnLight {
  /** Whether the page showed it, as the page says; null where it does not say. Believed only where nothing hangs on it. */
  readonly shown: LightShown | null;
}

export interface ScreenLight extends Pick<LightInput, 'required' | 'shown'> {
  /** Null where too little of the light on the skin could be read. */
  readonly match: LightMatch | null;
}
