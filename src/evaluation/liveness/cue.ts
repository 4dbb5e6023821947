// The shape that every check shares: its name, its role and the evidence it reads; and how it can come out.
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

/**
 * The results that gates decide. `script` says whether the prompts were followed; it affects only the overall result.
 */
export const RESULTS = ['face', 'smile', 'script', 'spoof'] as const;
export type Result = (typeof RESULTS)[number];

/** What a check decides. */
export type Role =
  /** These results are false if the check fails, or if it is required and cannot be evaluated. */
  | { readonly kind: 'gate'; readonly of: readonly Result[] }
  /**
   * Decides nothing. If it fails while one of these reasons is present, its own reason is listed first, as a possible
   * cause.
   */
  | { readonly kind: 'explains'; readonly reasons: readonly ReasonCode[] };

/** What a check is there for. */
export type Worth =
  /** The species of attack that nothing else refuses, at least once (bench/RESULTS-PAD.md). */
  | { readonly refuses: readonly [string, ...string[]] }
  /** If there is none, the reason why the check stays. */
  | { readonly refuses: readonly []; readonly stays: string };

/** One check. `run` is pure: only the evidence that it asks for can change its outcome. */
export type Check<Read extends VideoEvidence = CaptureEvidence> = Worth & {
  /** Stable name, as the diagnostics show it. */
  readonly cue: string;
  readonly role: Role;
  run(evidence: Read): Outcome;
};

/** A check of the video alone; its outcome does not depend on the script. */
export type VideoCheck = Check<VideoEvidence>;

export const gate = (...of: Result[]): Role => ({ kind: 'gate', of });
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
