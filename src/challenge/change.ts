// One change of one challenge, as the store applies it: whole or not at all.
import type { RetryReason } from '../contract/capture-page.ts';
import type { FieldFaultCode } from '../contract/problem.ts';
import type { DrawnScript, Script } from '../contract/script.ts';
import type { NotifyingAction, QuietAction } from './lifecycle.ts';
import type { NewAsset, NewDelivery, NewFeatidRow, NewRenewalRow } from './ports.ts';

/** What a change does to captures; each is refused (and the whole change with it) where its own guard misses. */
export type CaptureChange =
  /**
   * Uses a try and inserts a capture; refused past `maxTries`. One that is under way is abandoned for it; after
   * `maxRestarts` of these, refused until the deadline of the one abandoned last has passed.
   */
  | {
      readonly kind: 'issue';
      readonly id: string;
      readonly script: DrawnScript;
      readonly commitWithinMs: number;
      readonly maxRestarts: number;
      readonly maxTries: number;
    }
  /** Abandons an issued or committed capture, where there is one; it counts as a restart. */
  | { readonly kind: 'abandon' }
  /** Guard: issued, at most `withinMs` ago, and the commit deadline has not come. */
  | {
      readonly kind: 'commit';
      readonly id: string;
      readonly livedScript: Script;
      readonly withinMs: number;
      /** Guard: as many slices, of so many bytes, were announced. */
      readonly slices: number;
      readonly sizeBytes: number;
      readonly mimeType: string;
      readonly sealedHints: Buffer;
      readonly uploadWithinMs: number;
      /** Guard: with these bytes the account stores no more than this; null: no limit. */
      readonly accountQuotaBytes: number | null;
    }
  /** Guard: committed, and every byte received. Deletes the chunks, writes the judge job. */
  | { readonly kind: 'submit'; readonly id: string; readonly assetId: string }
  /** Guard: submitted. */
  | { readonly kind: 'judged'; readonly id: string; readonly sealedTry: Buffer | null }
  | {
      readonly kind: 'rejected';
      readonly id: string;
      readonly reason: RetryReason;
      readonly sealedTry: Buffer | null;
      /** It was the service's fault: the try does not count. */
      readonly returnsTry?: boolean;
    };

/** One change of one challenge: applied whole or not at all. A change that closes abandons every open capture. */
export type ChallengeChange = QuietChange | NotifyingChange;

export interface QuietChange extends ChangeParts {
  readonly action: QuietAction;
  readonly deliveries?: never;
}

/** The compiler demands the deliveries that the lifecycle's table asks for. */
interface NotifyingChange extends ChangeParts {
  readonly action: NotifyingAction;
  /** Those of its action's event (closing-deliveries.ts). */
  readonly deliveries: readonly NewDelivery[];
}

/** What a change brings beside its action, the row of the lifecycle's table that decides whether and how it is made. */
interface ChangeParts {
  readonly challengeId: string;
  /** Further guard: the bound device's token hash must be this. */
  readonly device?: Buffer;
  /** Binds a device. */
  readonly bindDevice?: Buffer;
  /** Consent to record (its time is set by the database); null withdraws. */
  readonly sealedConsent?: Buffer | null;
  /** Further guard: consent given, where the challenge requires it. */
  readonly needsConsent?: boolean;
  readonly result?: { readonly overallResult: 'pass' | 'fail'; readonly sealedResult: Buffer };
  readonly capture?: CaptureChange;
  readonly assets?: readonly NewAsset[];
  readonly featid?: NewFeatidRow | null;
  /** Each of another FeatureID; one that may not be renewed any more is passed over. */
  readonly renewals?: readonly NewRenewalRow[];
  /** FeatureIDs whose scores it makes known, each once: refused as a whole where one of them is paused or revoked. */
  readonly guess?: { readonly featidIds: readonly string[]; readonly hasFailed: boolean };
  readonly audit?: AuditEntry;
}

export interface AuditEntry {
  /** API key id, `operator`, `system`, or `link` for whoever holds a presigned link. */
  readonly actor: string;
  readonly action: string;
}

export type ApplyOutcome =
  | { readonly status: 'applied' }
  | { readonly status: 'refused' }
  /** Nothing was written: scores of these FeatureIDs may not be made known. By their ids, why. */
  | { readonly status: 'barred'; readonly featids: ReadonlyMap<string, ComparisonBar> };

/** Why a FeatureID that was opened for a comparison may not be compared with by its end. */
export type ComparisonBar = Extract<FieldFaultCode, 'featid_paused' | 'featid_revoked'>;
