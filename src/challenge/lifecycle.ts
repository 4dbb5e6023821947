// The lifecycle of a challenge as one table: which action is allowed in which status, before or after the deadline,
// which status it leads to and which events it records. The store applies each as one compare-and-set.
import type { ChallengeEventName, ChallengeStatus, NotificationEvent } from '../contract/states.ts';

/** Statuses that a challenge may still leave. */
const OPEN_STATUSES = ['created', 'initiated', 'processing'] as const satisfies ChallengeStatus[];

/** When an action is allowed, by the database's clock relative to `expires_at`. */
type When = 'always' | 'beforeExpiry' | 'atExpiry';

/** One row of the table. */
export interface Action {
  readonly from: readonly ChallengeStatus[];
  /** The status that it leads to; null if the status stays the same. */
  readonly to: ChallengeStatus | null;
  readonly when: When;
  /** Events that it records, in this order. */
  readonly events: readonly ChallengeEventName[];
  /** Which configured notifications go out with it. */
  readonly notifies: NotificationEvent | null;
}

/** An action that sends no notifications. */
export type QuietAction = Action & { readonly notifies: null };
/** An action whose change must include its deliveries (closing-deliveries.ts). */
export type NotifyingAction = Action & { readonly notifies: EachSent<NotificationEvent> };

/** Every action on a challenge. Nothing else changes a challenge, and only the action's row defines what it does. */
export const ACTIONS = {
  open: action(['created'], 'initiated', 'beforeExpiry', ['challenge_opened'], null),
  giveConsent: action(['initiated'], null, 'beforeExpiry', ['consent_given'], null),
  declineConsent: action(['initiated'], null, 'beforeExpiry', ['consent_declined'], null),
  grantCamera: action(['initiated'], null, 'beforeExpiry', ['camera_granted'], null),
  denyCamera: action(['initiated'], null, 'beforeExpiry', ['camera_denied'], null),
  issueCapture: action(['initiated'], null, 'beforeExpiry', ['capture_started'], null),
  commitCapture: action(['initiated'], null, 'beforeExpiry', [], null),
  // The last byte arrived before the deadline, and the person cannot help how long the asset store takes.
  submitCapture: action(['initiated'], 'processing', 'always', ['capture_submitted'], null),
  rejectCapture: action(['processing'], 'initiated', 'beforeExpiry', ['capture_rejected'], null),
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
  cancel: action([...OPEN_STATUSES], 'cancelled', 'always', ['challenge_cancelled'], null),
} as const satisfies Record<string, Action>;

type SentEvent = NonNullable<(typeof ACTIONS)[keyof typeof ACTIONS]['notifies']>;
/** Does not compile as long as no action sends one of the events. */
type EachSent<Event extends SentEvent> = Event;

/** Whether a challenge in this status can no longer change. */
export function isClosed(status: ChallengeStatus): boolean {
  return !(OPEN_STATUSES as readonly ChallengeStatus[]).includes(status);
}

function action<const To extends Action['to'], const Notifies extends Action['notifies']>(
  from: ChallengeStatus[],
  to: To,
  when: When,
  events: ChallengeEventName[],
  notifies: Notifies,
): Action & { readonly to: To; readonly notifies: Notifies } {
  return { from, to, when, events, notifies };
}
