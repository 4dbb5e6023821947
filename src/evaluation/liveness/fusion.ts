// Turns cues into the verdict: gates decide their results, and reasons tell whether the person may try again.
import type { Liveness } from '../../contract/result.ts';
import { isMovement, type Prompt } from '../../contract/script.ts';
import { allowsRetry, inOrder, REASONS, type ReasonCode, type RetryCode } from '../reasons.ts';
import { CHECKS } from './checks.ts';
import type { Cue, Result, Role } from './cue.ts';
import { PROMPT_ROWS } from './prompts.ts';

export interface Fused {
  /** `overall` is true if every result that was asked for is true and the script was followed. */
  readonly liveness: Liveness;
  /** The reason to give the person before another try; null if the capture passed or may not be tried again. */
  readonly retryable: { readonly reason: RetryCode } | null;
  /** Every reason, in the catalogue's order. */
  readonly reasons: readonly ReasonCode[];
}

const ROLES: ReadonlyMap<string, Role> = new Map(CHECKS.map(({ cue, role }) => [cue, role]));

/** Fuses the cues of one capture. */
export function fuse(cues: readonly Cue[]): Fused {
  const holdsOf = (result: Result) => cues.every((cue) => !isGateOf(cue, result) || holds(cue));
  const smileAsked = cues.some((cue) => cue.cue === PROMPT_ROWS.smile.cue && !isNotRequired(cue));
  const face = holdsOf('face');
  const smile = smileAsked && holdsOf('smile');
  const real = holdsOf('spoof');
  const overall = face && real && holdsOf('script') && (smile || !smileAsked);
  const reasons = inOrder(cues.flatMap((cue) => (isReported(cue, cues) ? [cue.reason] : [])));
  return {
    liveness: { face, smile, spoof_result: real, overall },
    retryable: overall ? null : retryable(cues, reasons),
    reasons,
  };
}

/** The gates that do not hold, by name. */
export function refusingGates(cues: readonly Cue[]): string[] {
  return cues.flatMap((cue) => (ROLES.get(cue.cue)?.kind === 'gate' && !holds(cue) ? [cue.cue] : []));
}

function isGateOf({ cue }: Cue, result: Result): boolean {
  const role = ROLES.get(cue);
  return role?.kind === 'gate' && role.of.includes(result);
}

/** Whether a cue was not evaluated and did not have to be. */
function isNotRequired({ status, reason }: Cue): boolean {
  return status === 'notEvaluated' && ['info', 'silent'].includes(REASONS[reason].kind);
}

function holds(cue: Cue): boolean {
  return cue.status === 'passed' || isNotRequired(cue);
}

function isReported(cue: Cue, cues: readonly Cue[]): cue is Cue & { reason: ReasonCode } {
  if (!cue.reason || REASONS[cue.reason].kind === 'silent') return false;
  const role = ROLES.get(cue.cue);
  if (role?.kind !== 'explains') return true;
  return cue.status === 'failed' && cues.some(({ reason }) => reason && role.reasons.includes(reason));
}

/** Reasons for a missing movement, which makes a person look like a photograph. */
const MOVEMENT_MISSING: ReadonlySet<ReasonCode> = new Set([
  ...Object.entries(PROMPT_ROWS).flatMap(([prompt, { missing }]) =>
    isMovement(prompt as Prompt) ? [missing] : [],
  ),
  'mouth_covered',
]);

/** The first reason that another try may resolve; null if a gate found an attack or another person. */
function retryable(cues: readonly Cue[], reasons: readonly ReasonCode[]): { reason: RetryCode } | null {
  const unmoved = reasons.some((reason) => MOVEMENT_MISSING.has(reason));
  const isFinal = cues.some(
    ({ cue, reason }) =>
      reason &&
      REASONS[reason].kind === 'final' &&
      ROLES.get(cue)?.kind === 'gate' &&
      // A person who ignores every prompt and keeps still looks like a photograph; the next script tells them apart.
      !(reason === 'rigid_face' && unmoved),
  );
  const first = reasons.find(allowsRetry);
  return isFinal || !first ? null : { reason: first };
}
