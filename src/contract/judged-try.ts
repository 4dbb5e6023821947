// The judgement of one try as the operator's console shows it: its checks, and the data that its curves are drawn from.
import { type Static, Type } from 'typebox';
import { NullableNumber, NullableString } from './field-types.ts';
import type { Liveness } from './result.ts';
import type { Direction } from './target.ts';

/** One named check of a judgement. */
export const JudgedCue = Type.Object({
  cue: Type.String(),
  status: Type.Enum(['passed', 'failed', 'notEvaluated']),
  value: NullableNumber,
  threshold: NullableNumber,
  reason: NullableString,
});
export type JudgedCue = Readonly<Static<typeof JudgedCue>>;

/** What the judgement saw of the face at one moment of a recording: see Moment (src/evaluation/timeline.ts). */
export interface JudgedMoment {
  readonly timeMs: number;
  readonly motion: number;
  readonly identity: number | null;
  readonly face: {
    readonly smile: number | null;
    readonly head: Direction | null;
  } | null;
}

/** The judgement of one try. */
export interface ConsoleTry {
  readonly liveness: Liveness;
  readonly reasons: readonly string[];
  readonly cues: readonly JudgedCue[];
  readonly timings_ms: Readonly<Record<string, number>>;
}
