// The one shape of every check: a record of its name, what it counts for, and what it reads; and how it can come out.
import type { ReasonCode } from '../reasons.ts';
import type { CaptureEvidence, VideoEvidence } from './evidence.ts';

/** How a check came out. `value` and `threshold` are in the unit that the check's file names. */
export type Outcome =
  | { readonly status: 'passed'; readonly value: number; readonly threshold: number; readonly reason: null }
  | {
      readonly status: 'failed';
      readonly value: number;
      readonly threshold: number;
      readonly reason: ReasonCode;
    }
  | {
      readonly status: 'notEvaluated';
      readonly value: null;
      readonly threshold: null;
      readonly reason: ReasonCode;
    };

/** A check's outcome under its name. */
export type Cue = Outcome & { readonly cue: string };

/** The results that gates decide. `script`: whether the prompts were followed; it counts for the overall result alone. */
export const RESULTS = ['face', 'smile', 'script', 'spoof'] as const;
export type Result = (typeof RESULTS)[number];

/** What a check decides. */
export type Role =
  /** Where it failed, or could not be evaluated though it was required, these results are false. */
  | { readonly kind: 'gate'; readonly of: readonly Result[] }
  /** Adds these weights to the evidence of an attack. */
  | { readonly kind: 'soft'; readonly failed: number; readonly passed: number }
  /** Decides nothing; if it failed, its reason is listed before one of these, which it may have caused. */
  | { readonly kind: 'explains'; readonly reasons: readonly ReasonCode[] };

/** One check. `run` is pure; what it does not ask for cannot change its outcome. */
export interface Check<Read extends VideoEvidence = CaptureEvidence> {
  /** Stable name, as the diagnostics show it. */
  readonly cue: string;
  readonly role: Role;
  run(evidence: Read): Outcome;
}

/** A check of the video alone: the same for any script. */
export type VideoCheck = Check<VideoEvidence>;

export const gate = (...of: Result[]): Role => ({ kind: 'gate', of });
export const soft = (failed: number, passed = 0): Role => ({ kind: 'soft', failed, passed });
export const explains = (...reasons: ReasonCode[]): Role => ({ kind: 'explains', reasons });

/** Passed when `value` reaches `threshold`. */
export function atLeast(value: number, threshold: number, reason: ReasonCode): Outcome {
  return value >= threshold
    ? { status: 'passed', value, threshold, reason: null }
    : { status: 'failed', value, threshold, reason };
}

/** Passed when `value` does not exceed `threshold`. */
export function atMost(value: number, threshold: number, reason: ReasonCode): Outcome {
  return value <= threshold
    ? { status: 'passed', value, threshold, reason: null }
    : { status: 'failed', value, threshold, reason };
}

export function notEvaluated(reason: ReasonCode): Outcome {
  return { status: 'notEvaluated', value: null, threshold: null, reason };
}
