// The life of a challenge as one table of data: which action is allowed in which status, before or after
// the deadline, where it leads and which events it records. Each is one compare-and-set by the store.
import type { ChallengeEventName, ChallengeStatus } from '../contract/states.ts';

/** Statuses that a challenge may still leave. */
const OPEN_STATUSES = ['created', 'initiated', 'processing'] as const satisfies ChallengeStatus[];

/** Where an action is allowed, by the database's clock against `expires_at`. */
type When = 'always' | 'beforeExpiry' | 'atExpiry';

/** One row of the table. */
export interface Action {
  readonly from: readonly ChallengeStatus[];
  /** The status that it leads to; null when it stays. */
  readonly to: ChallengeStatus | null;
  readonly when: When;
  /** Events that it records, in this order. */
  readonly events: readonly ChallengeEventName[];
  /** Which configured notifications go out with it. */
  readonly notifies: 'complete' | 'expired' | null;
}

/** Every action on a challenge. Nothing else changes one. */
export const ACTIONS = {
  open: action(['created'], 'initiated', 'beforeExpiry', ['challenge_opened']),
  giveConsent: action(['initiated'], null, 'beforeExpiry', ['consent_given']),
  declineConsent: action(['initiated'], null, 'beforeExpiry', ['consent_declined']),
  grantCamera: action(['initiated'], null, 'beforeExpiry', ['camera_granted']),
  denyCamera: action(['initiated'], null, 'beforeExpiry', ['camera_denied']),
  issueCapture: action(['initiated'], null, 'beforeExpiry', ['capture_started']),
  commitCapture: action(['initiated'], null, 'beforeExpiry', []),
  submitCapture: action(['initiated'], 'processing', 'beforeExpiry', ['capture_submitted']),
  rejectCapture: action(['processing'], 'initiated', 'beforeExpiry', ['capture_rejected']),
  rejectCaptureLate: action(
    ['processing'],
    'expired',
    'atExpiry',
    ['capture_rejected', 'challenge_expired'],
    'expired',
  ),
  complete: action(['processing'], 'completed', 'always', ['evaluation_completed'], 'complete'),
  endInSandbox: action(
    ['initiated'],
    'completed',
    'beforeExpiry',
    ['capture_started', 'capture_submitted', 'evaluation_completed'],
    'complete',
  ),
  expire: action(['created', 'initiated'], 'expired', 'atExpiry', ['challenge_expired'], 'expired'),
  cancel: action([...OPEN_STATUSES], 'cancelled', 'always', ['challenge_cancelled']),
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

/** Whether nothing can change a challenge of this status any more. */
export function isClosed(status: ChallengeStatus): boolean {
  return !(OPEN_STATUSES as readonly ChallengeStatus[]).includes(status);
}

/**
 * The status after an action, or why it is refused: the pure form of the store's compare-and-set.
 * @param expired whether `expires_at` has come, by the database's clock
 */
export function decide(
  name: ActionName,
  status: ChallengeStatus,
  expired: boolean,
): { status: 'allowed'; to: ChallengeStatus } | { status: 'refused'; because: 'status' | 'time' } {
  const rule: Action = ACTIONS[name];
  if (!rule.from.includes(status)) return { status: 'refused', because: 'status' };
  if (rule.when === 'beforeExpiry' && expired) return { status: 'refused', because: 'time' };
  if (rule.when === 'atExpiry' && !expired) return { status: 'refused', because: 'time' };
  return { status: 'allowed', to: rule.to ?? status };
}

function action(
  from: ChallengeStatus[],
  to: ChallengeStatus | null,
  when: When,
  events: ChallengeEventName[],
  notifies: Action['notifies'] = null,
): Action {
  return { from, to, when, events, notifies };
}
