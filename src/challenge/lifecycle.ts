// The lifecycle of a challenge as one table: what each action requires, and what it does. A change is an action with
// the values that its row asks for. The store applies it in one transaction, as one compare-and-set
// (tables/changes.ts); the sweep expires challenges by the same rows (tables/sweep-store.ts).
import type { RetryReason } from '../contract/capture-page.ts';
import type { DeviceResult } from '../contract/device.ts';
import type { LivenessLevel } from '../contract/liveness-level.ts';
import type { CameraRefusal } from '../contract/page-event.ts';
import type { DrawnScript, Script } from '../contract/script.ts';
import type {
  ChallengeEventName,
  ChallengeStatus,
  ClosedReason,
  NotificationEvent,
} from '../contract/states.ts';
import type { NewFeatidRow } from '../featid/tables/keys.ts';
import type { NewPasskey, PasskeyUse } from '../passkeys/tables/store.ts';
import type { AuditEntry } from '../storage/postgres/audit.ts';
import type { NewDelivery } from '../webhook/new-delivery.ts';
import type { NewAsset } from './challenge.ts';

/** Statuses that a challenge may still leave. */
const OPEN_STATUSES = ['created', 'initiated', 'processing'] as const satisfies ChallengeStatus[];

/** A condition on a challenge besides its status and deadline. If it has the name of a value, it asks for that. */
export type Guard =
  /** The change comes from the bound device. */
  | 'device'
  /** No device is bound yet. */
  | 'unbound'
  /** The bound device is still the one that the change replaces. */
  | 'replaces'
  /** No recording is under way. */
  | 'idle'
  /** Consent was given, if the challenge requires it. */
  | 'consent';

/** One row of the table. */
export interface Action {
  /** If one of these does not hold, nothing is written. */
  readonly requires: {
    readonly from: readonly ChallengeStatus[];
    /** By the database's clock, relative to `expires_at`. */
    readonly when: 'always' | 'beforeExpiry' | 'atExpiry';
    readonly guards?: readonly Guard[];
  };
  readonly does: {
    /** The status that it leads to, if that changes. What closing also does: `releaseClosed` in tables/changes.ts. */
    readonly to?: ChallengeStatus;
    /** What it does to captures, which may have a guard of its own. */
    readonly capture?: CaptureChange['kind'];
    /** What else it writes. */
    readonly writes?: readonly (keyof Values)[];
    /** Events that it records, in this order. */
    readonly events: readonly ChallengeEventName[];
    /** Which configured notifications go out with it. */
    readonly notifies?: NotificationEvent;
  };
}

/** A sandbox challenge is completed without a capture; its events are those of one with a capture. */
const COMPLETE_IN_SANDBOX = {
  to: 'completed',
  writes: ['result', 'assets', 'featid', 'guess'],
  events: ['capture_started', 'capture_submitted', 'evaluation_completed'],
  notifies: 'complete',
} as const satisfies Action['does'];

const COMPLETE = {
  to: 'completed',
  capture: 'judged',
  writes: ['result', 'assets', 'featid', 'guess'],
  notifies: 'complete',
} as const satisfies Partial<Action['does']>;

/** Every action on a challenge. Nothing else changes a challenge, and only the action's row defines what it does. */
export const ACTIONS = {
  open: {
    requires: { from: ['created'], when: 'beforeExpiry', guards: ['unbound'] },
    does: { to: 'initiated', writes: ['bindDevice'], events: ['challenge_opened'] },
  },
  takeOver: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['replaces', 'idle'] },
    // The consent is withdrawn: the person at this device has not seen what it covers.
    does: { writes: ['bindDevice', 'sealedConsent'], events: ['challenge_opened'] },
  },
  giveConsent: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['device'] },
    does: { writes: ['sealedConsent'], events: ['consent_given'] },
  },
  declineConsent: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['device'] },
    does: { capture: 'abandon', writes: ['sealedConsent'], events: ['consent_declined'] },
  },
  grantCamera: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['device'] },
    does: { events: ['camera_granted'] },
  },
  denyCamera: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['device'] },
    does: { writes: ['cause'], events: ['camera_denied'] },
  },
  issueCapture: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['device', 'consent'] },
    does: { capture: 'issue', events: ['capture_started'] },
  },
  commitCapture: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['device', 'consent'] },
    does: { capture: 'commit', events: [] },
  },
  submitCapture: {
    // The last byte arrived before the deadline, and the person cannot help how long the asset store takes.
    requires: { from: ['initiated'], when: 'always', guards: ['consent'] },
    does: { to: 'processing', capture: 'submit', writes: ['assets'], events: ['capture_submitted'] },
  },
  rejectCapture: {
    requires: { from: ['processing'], when: 'beforeExpiry' },
    does: { to: 'initiated', capture: 'rejected', events: ['capture_rejected'] },
  },
  rejectCaptureLate: {
    requires: { from: ['processing'], when: 'atExpiry' },
    does: {
      to: 'expired',
      capture: 'rejected',
      events: ['capture_rejected', 'challenge_expired'],
      notifies: 'expired',
    },
  },
  complete: {
    requires: { from: ['processing'], when: 'always' },
    does: {
      ...COMPLETE,
      writes: [...COMPLETE.writes, 'passkeyUse', 'deviceResult'],
      events: ['evaluation_completed'],
    },
  },
  completeWithNewDevice: {
    requires: { from: ['processing'], when: 'always' },
    does: {
      ...COMPLETE,
      writes: [...COMPLETE.writes, 'newPasskey', 'deviceResult'],
      events: ['evaluation_completed', 'device_added'],
    },
  },
  endInSandbox: {
    requires: { from: ['initiated'], when: 'beforeExpiry', guards: ['device', 'consent'] },
    does: COMPLETE_IN_SANDBOX,
  },
  // The sandbox's references do without a page: no device is bound, and nobody is asked for consent.
  openByReference: {
    requires: { from: ['created'], when: 'beforeExpiry' },
    does: { to: 'initiated', events: ['challenge_opened'] },
  },
  endByReference: {
    requires: { from: ['initiated'], when: 'beforeExpiry' },
    does: COMPLETE_IN_SANDBOX,
  },
  // Not while a complete upload waits to be stored: tables/sweep-store.ts knows of those.
  expire: {
    requires: { from: ['created', 'initiated'], when: 'atExpiry' },
    does: { to: 'expired', events: ['challenge_expired'], notifies: 'expired' },
  },
  cancel: {
    requires: { from: OPEN_STATUSES, when: 'always' },
    does: { to: 'cancelled', writes: ['audit'], events: ['challenge_cancelled'] },
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

/** A change to one challenge, applied as a whole or not at all: an action, and the values that its row asks for. */
export type ChallengeChange = ChangeOf<ActionName>;

export type ChangeOf<Name extends ActionName> = Name extends ActionName
  ? { readonly challengeId: string; readonly action: Name } & AskedBy<(typeof ACTIONS)[Name]>
  : never;

/** The values that a row asks for: by its guards, its change of captures, what it writes, and its notifications. */
type AskedBy<Row> = (Row extends { requires: { guards: readonly (infer Asked)[] } }
  ? Pick<Values, Extract<Asked, keyof Values>>
  : unknown) &
  (Row extends { does: { capture: infer Kind } } ? { readonly capture: CaptureChangeOf<Kind> } : unknown) &
  (Row extends { does: { writes: readonly (infer Asked extends keyof Values)[] } }
    ? Pick<Values, Asked>
    : unknown) &
  (Row extends { does: { notifies: NotificationEvent } } ? Pick<Values, 'deliveries'> : unknown);

/** A change as the store reads it, whatever its action. */
export interface AnyChange extends Partial<Values> {
  readonly challengeId: string;
  readonly action: ActionName;
  readonly capture?: CaptureChange;
}

/** The values that rows ask for. */
interface Values {
  /** Hash of the token of the device that the change comes from. */
  readonly device: Buffer;
  /** Hash of the token of the device to bind. */
  readonly bindDevice: Buffer;
  /** Hash of the token of the device that loses the challenge. */
  readonly replaces: Buffer;
  /** Consent to record (its time is set by the database); null withdraws. */
  readonly sealedConsent: Buffer | null;
  /** Of the event; null if the page did not say. */
  readonly cause: CameraRefusal | null;
  readonly result: { readonly overallResult: 'pass' | 'fail'; readonly sealedResult: Buffer };
  readonly assets: readonly NewAsset[];
  readonly featid: NewFeatidRow | null;
  /**
   * FeatureIDs whose scores the change reveals, without duplicates. Guard: none of them is paused or revoked. Otherwise
   * the whole change is barred.
   */
  readonly guess: { readonly featidIds: readonly string[]; readonly hasFailed: boolean };
  /** The signature that counts; null if none does. Guard: it is the passkey's latest. Otherwise the change is barred. */
  readonly passkeyUse: PasskeyUse | null;
  /** A passkey, and the id of its FeatureID. Guard: that may have another. Otherwise the change is barred. */
  readonly newPasskey: { readonly passkey: NewPasskey; readonly featidId: string };
  /** What the audit log says of the device; null if the challenge has nothing to do with devices. */
  readonly deviceResult: DeviceResult | null;
  /** One for each notification that is configured for the row's event (closing/deliveries.ts). */
  readonly deliveries: readonly NewDelivery[];
  readonly audit: Pick<AuditEntry, 'actor' | 'action'>;
}

/** What a change does to captures. If its guard fails, the whole change is refused. */
export type CaptureChange =
  /**
   * Uses a try and inserts a capture; refused beyond `maxTries`. A capture in progress is abandoned for it, which counts
   * as a restart unless its last step went unanswered. After `maxRestarts` of them, it is refused until the deadline of
   * the last has passed.
   */
  | {
      readonly kind: 'issue';
      readonly id: string;
      readonly level: LivenessLevel;
      readonly script: DrawnScript;
      readonly commitWithinMs: number;
      readonly asksPasskey: boolean;
      readonly maxRestarts: number;
      readonly maxTries: number;
    }
  /** Abandons an issued or committed capture, if there is one. This counts as a restart, as above. */
  | { readonly kind: 'abandon' }
  /** Guard: issued at most `withinMs` ago, and the commit deadline has not passed. */
  | {
      readonly kind: 'commit';
      readonly id: string;
      readonly performedScript: Script;
      readonly withinMs: number;
      /** Guard: exactly this many slices, with this many bytes in total, were announced. */
      readonly slices: number;
      readonly sizeBytes: number;
      readonly mimeType: string;
      readonly sealedHints: Buffer;
      readonly uploadWithinMs: number;
      /** Guard: including these bytes, the account stores at most this many. Null: no limit. */
      readonly accountQuotaBytes: number | null;
    }
  /** Guard: the upload is complete. Deletes the chunks and queues the judge job. */
  | {
      readonly kind: 'submit';
      readonly id: string;
      readonly assetId: string;
      /** The answer with the recording's head; null if the device was not asked. */
      readonly sealedPasskeyAnswer: Buffer | null;
    }
  /** Guard: submitted. */
  | { readonly kind: 'judged'; readonly id: string; readonly sealedTry: Buffer | null }
  | {
      readonly kind: 'rejected';
      readonly id: string;
      readonly reason: RetryReason;
      readonly sealedTry: Buffer | null;
      /** The passkey made for this try, for the next ones; null: none was. */
      readonly sealedMadePasskey: Buffer | null;
      /** The service was at fault, so the try does not count. */
      readonly returnsTry?: boolean;
    };

export type CaptureChangeOf<Kind> = Extract<CaptureChange, { readonly kind: Kind }>;

/** An action whose change includes its deliveries. */
export type NotifyingAction = Action & { readonly does: { readonly notifies: EachSent<NotificationEvent> } };

type SentEvent = Extract<
  (typeof ACTIONS)[ActionName]['does'],
  { readonly notifies: NotificationEvent }
>['notifies'];
/** Does not compile as long as no action sends one of the events. */
type EachSent<Event extends SentEvent> = Event;

/** Whether a challenge in this status can no longer change. */
export function isClosed(status: ChallengeStatus): status is ClosedReason {
  return !(OPEN_STATUSES as readonly ChallengeStatus[]).includes(status);
}
