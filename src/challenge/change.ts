// A change to one challenge. The store applies it atomically.
import type { RetryReason } from '../contract/capture-page.ts';
import type { DrawnScript, Script } from '../contract/script.ts';
import type { ComparisonBar } from '../featid/tables/guard.ts';
import type { NewFeatidRow } from '../featid/tables/keys.ts';
import type { NewDelivery } from '../webhook/new-delivery.ts';
import type { NewAsset } from './challenge.ts';
import type { NotifyingAction, QuietAction } from './lifecycle.ts';

/** What a change does to captures. If its guard fails, the whole change is refused. */
export type CaptureChange =
  /**
   * Uses a try and inserts a capture; refused beyond `maxTries`. A capture in progress is abandoned for it. After
   * `maxRestarts` such restarts, it is refused until the deadline of the last abandoned capture has passed.
   */
  | {
      readonly kind: 'issue';
      readonly id: string;
      readonly script: DrawnScript;
      readonly commitWithinMs: number;
      readonly maxRestarts: number;
      readonly maxTries: number;
    }
  /** Abandons an issued or committed capture, if there is one. This counts as a restart. */
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
  /** Guard: committed, and every byte received. Deletes the chunks and queues the judge job. */
  | { readonly kind: 'submit'; readonly id: string; readonly assetId: string }
  /** Guard: submitted. */
  | { readonly kind: 'judged'; readonly id: string; readonly sealedTry: Buffer | null }
  | {
      readonly kind: 'rejected';
      readonly id: string;
      readonly reason: RetryReason;
      readonly sealedTry: Buffer | null;
      /** The service was at fault, so the try does not count. */
      readonly returnsTry?: boolean;
    };

/** A change to one challenge, applied atomically. A change that closes the challenge abandons every open capture. */
export type ChallengeChange = QuietChange | NotifyingChange;

export interface QuietChange extends ChangeParts {
  readonly action: QuietAction;
  readonly deliveries?: never;
}

/** The type requires the deliveries that the lifecycle table calls for. */
interface NotifyingChange extends ChangeParts {
  readonly action: NotifyingAction;
  /** The deliveries for the action's event (closing-deliveries.ts). */
  readonly deliveries: readonly NewDelivery[];
}

/**
 * What a change contains besides its action, the row of the lifecycle table that decides whether and how it applies.
 */
interface ChangeParts {
  readonly challengeId: string;
  /** Further guard: the bound device's token hash must be this. */
  readonly device?: Buffer;
  /** Binds the device with this token hash. */
  readonly bindDevice?: Buffer;
  /** Consent to record (its time is set by the database); null withdraws. */
  readonly sealedConsent?: Buffer | null;
  /** Further guard: consent was given, if the challenge requires it. */
  readonly needsConsent?: boolean;
  readonly result?: { readonly overallResult: 'pass' | 'fail'; readonly sealedResult: Buffer };
  readonly capture?: CaptureChange;
  readonly assets?: readonly NewAsset[];
  readonly featid?: NewFeatidRow | null;
  /**
   * FeatureIDs whose scores the change reveals, without duplicates. The whole change is barred if one of them is paused
   * or revoked.
   */
  readonly guess?: { readonly featidIds: readonly string[]; readonly hasFailed: boolean };
  readonly audit?: AuditEntry;
}

export interface AuditEntry {
  /** API key id, `operator`, `system`, or `link` for the holder of a presigned link. */
  readonly actor: string;
  readonly action: string;
}

export type ApplyOutcome =
  | { readonly status: 'applied' }
  | { readonly status: 'refused' }
  /** Nothing was written, because scores of these FeatureIDs may not be revealed. Maps each id to the reason. */
  | { readonly status: 'barred'; readonly featids: ReadonlyMap<string, ComparisonBar> };
