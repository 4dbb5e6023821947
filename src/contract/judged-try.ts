// The judgement of one try as the operator's console shows it: its checks, and the data that its curves are drawn from.
import { type Static, Type } from 'typebox';
import { NullableNumber, NullableString } from './field-types.ts';
import type { Liveness } from './result.ts';
import type { LightShown } from './screen-light.ts';
import type { Prompt } from './script.ts';

/** One named check of a judgement. */
export const JudgedCue = Type.Object({
  cue: Type.String(),
  status: Type.Enum(['passed', 'failed', 'notEvaluated']),
  value: NullableNumber,
  threshold: NullableNumber,
  reason: NullableString,
});
export type JudgedCue = Readonly<Static<typeof JudgedCue>>;

/** How well the page's light code was found. LightMatch (src/evaluation/light/match-code.ts) explains the measures. */
export interface JudgedLight {
  readonly required: boolean;
  /** Whether it was shown, as reported by the page; null if the page did not say. */
  readonly shown: LightShown | null;
  /** Null if too little of the light on the skin could be read. */
  readonly match: {
    readonly z: number;
    readonly delay_ms: number;
    readonly p: number;
    readonly amplitude: number;
    readonly error: number;
    readonly symbols: number;
  } | null;
}

/** What the judgement saw of the face at one moment of a recording: see Moment (src/evaluation/timeline.ts). */
export interface JudgedMoment {
  readonly timeMs: number;
  readonly motion: number;
  readonly identity: number | null;
  readonly face: {
    readonly yaw: number;
    readonly pitch: number;
    readonly strengths: Readonly<Record<Prompt, number>> | null;
  } | null;
}

/** The judgement of one try. */
export interface ConsoleTry {
  readonly liveness: Liveness;
  readonly reasons: readonly string[];
  readonly cues: readonly JudgedCue[];
  /** Null if no light code was drawn. */
  readonly screen_light: JudgedLight | null;
  readonly timings_ms: Readonly<Record<string, number>>;
}
