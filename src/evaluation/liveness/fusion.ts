// From cues to the verdict: one table says which cue gates which result, and which only adds.
import { inOrder, REASONS, type ReasonCode } from '../reasons.ts';
import type { Cue, CueName } from './cue.ts';

/** The verdict, in the result object's words: true is success. */
export interface LivenessVerdict {
  readonly face: boolean;
  readonly smile: boolean;
  readonly spoofResult: boolean;
  readonly overall: boolean;
}

export interface Fused {
  readonly liveness: LivenessVerdict;
  /** What may be told to the person before another try; null when it passed, or may not be tried again. */
  readonly retryable: { readonly reason: ReasonCode } | null;
  /** Every reason, in the catalogue's order. */
  readonly reasons: readonly ReasonCode[];
}

type Role =
  | { readonly of: 'face' | 'smile' | 'spoof'; readonly gate: true }
  /** Counts for nothing; its reason is told beside `beside`, before it. */
  | { readonly of: 'nothing'; readonly gate: false; readonly beside: ReasonCode }
  | { readonly of: 'spoof'; readonly gate: false; readonly failed: number; readonly passed: number };

const gate = (of: 'face' | 'smile' | 'spoof'): Role => ({ of, gate: true });

/**
 * A gate that failed, or could not be evaluated though it was required, makes its result false. What adds only moves
 * the sum of soft evidence: `failed` and `passed` are its weights. `bench:pad` fits the same signs (cut, parallax and
 * surround at its upper bound, blink speaking for life), and no decision on its 16,564 presentations differs with its
 * weights. Those here stay below: 7 of 501 genuine presentations fail `cut` and 6 of 187 `surround` (docs/liveness.md),
 * and none of them is to be refused because an uncommon recorder wrote its file too.
 */
const ROLES: Readonly<Record<CueName, Role>> = {
  face_present: gate('face'),
  one_face: gate('face'),
  face_size: gate('face'),
  frontal: gate('face'),
  brightness: gate('face'),
  burnt_out: gate('face'),
  sharpness: gate('face'),
  mouth_visible: { of: 'nothing', gate: false, beside: 'smile_missing' },
  same_person: gate('face'),
  neutral_start: gate('smile'),
  neutral_kept: gate('spoof'),
  smile: gate('smile'),
  turn: gate('spoof'),
  coverage: gate('spoof'),
  reaction: gate('spoof'),
  foresight: gate('spoof'),
  contrary: gate('spoof'),
  freeze: gate('spoof'),
  loop: gate('spoof'),
  rigid: gate('spoof'),
  cut: { of: 'spoof', gate: false, failed: 0.6, passed: 0 },
  blink: { of: 'spoof', gate: false, failed: 0, passed: -0.5 },
  parallax: { of: 'spoof', gate: false, failed: 0.7, passed: 0 },
  surround: { of: 'spoof', gate: false, failed: 0.4, passed: 0 },
  earlier_upload: gate('spoof'),
  elapsed: gate('spoof'),
  container: { of: 'spoof', gate: false, failed: 0.3, passed: 0 },
  timestamps: { of: 'spoof', gate: false, failed: 0.1, passed: 0 },
  pad_pack: gate('spoof'),
};

/** Soft evidence from which a capture counts as an attack. */
const MAX_SOFT_EVIDENCE = 0.99;

/** Reasons with which a cue that was not evaluated is not held against the capture. */
const NOT_REQUIRED: ReadonlySet<ReasonCode> = new Set([
  'no_script',
  'smile_not_required',
  'turn_not_required',
  'not_applicable',
  'no_blink',
]);
/** Of these, what says nothing to an integrator. */
const UNTOLD: ReadonlySet<ReasonCode> = new Set(['turn_not_required', 'not_applicable', 'no_blink']);

/** Fuses the cues of one capture. */
export function fuse(cues: readonly Cue[]): Fused {
  const gatesOf = (of: 'face' | 'smile' | 'spoof') =>
    cues.filter(({ cue }) => ROLES[cue].gate && ROLES[cue].of === of);
  const smileAsked = cues.some((cue) => cue.cue === 'smile' && !isNotRequired(cue));
  const soft = softEvidence(cues);
  const face = gatesOf('face').every(holds);
  const smile = smileAsked && gatesOf('smile').every(holds);
  const spoofResult = gatesOf('spoof').every(holds) && soft <= MAX_SOFT_EVIDENCE;
  const overall = face && spoofResult && (smile || !smileAsked);
  const reasons = cues.flatMap((cue) => (isTold(cue, cues) ? [cue.reason] : []));
  if (soft > MAX_SOFT_EVIDENCE) reasons.push('soft_evidence');
  const ordered = inOrder(reasons);
  return {
    liveness: { face, smile, spoofResult, overall },
    retryable: overall ? null : retryable(ordered),
    reasons: ordered,
  };
}

function isNotRequired({ status, reason }: Cue): boolean {
  return status === 'notEvaluated' && NOT_REQUIRED.has(reason);
}

function holds(cue: Cue): boolean {
  return cue.status === 'passed' || isNotRequired(cue);
}

function isTold(cue: Cue, cues: readonly Cue[]): cue is Cue & { reason: ReasonCode } {
  if (!cue.reason || UNTOLD.has(cue.reason)) return false;
  const role = ROLES[cue.cue];
  return role.of !== 'nothing' || cues.some(({ reason }) => reason === role.beside);
}

function softEvidence(cues: readonly Cue[]): number {
  let sum = 0;
  for (const { cue, status } of cues) {
    const role = ROLES[cue];
    if (role.of === 'nothing' || role.gate || status === 'notEvaluated') continue;
    sum += role[status];
  }
  return sum;
}

/** Cues that add are no verdict by themselves: their reasons do not bar another try. */
const SOFT_REASONS: ReadonlySet<ReasonCode> = new Set([
  'cut',
  'flat_turn',
  'moves_with_surround',
  'not_a_recorder',
  'even_timestamps',
]);
/** Movements whose absence looks like a photograph. */
const MOVEMENT_MISSING: ReadonlySet<ReasonCode> = new Set(['smile_missing', 'turn_missing', 'mouth_covered']);

function retryable(reasons: readonly ReasonCode[]): { reason: ReasonCode } | null {
  const unmoved = reasons.some((reason) => MOVEMENT_MISSING.has(reason));
  const final = reasons.some(
    (reason) =>
      REASONS[reason].kind === 'final' &&
      !SOFT_REASONS.has(reason) &&
      // Who overlooks every prompt and keeps still cannot be told from a photograph: the next script tells them apart.
      !(reason === 'rigid_face' && unmoved),
  );
  const first = reasons.find((reason) => REASONS[reason].kind === 'retry');
  return final || !first ? null : { reason: first };
}
