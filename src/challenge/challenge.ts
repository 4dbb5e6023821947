// The records that this room works with: a challenge, its captures, events and assets, as the store holds them.
import type { CaptureProgressState, RetryReason } from '../contract/capture-page.ts';
import type { FlowStyle, NotificationConfiguration } from '../contract/challenge-request.ts';
import type { ComparedFeatid } from '../contract/result.ts';
import type { Script } from '../contract/script.ts';
import type { ChallengeEventName, ChallengeStatus, ClosedReason } from '../contract/states.ts';

/** flow_behaviour and flow_style of the request: nothing secret, stored readable. */
export interface Flow {
  readonly exit_redirect_url: string | null;
  readonly style: FlowStyle;
}

/** A consent as it was given: when, to which text, in which language (BCP 47). */
export interface Consent {
  readonly given_at: string;
  readonly text_version: string;
  readonly text_sha256: string;
  readonly language: string;
}

export interface Challenge {
  readonly id: string;
  readonly accountId: string;
  readonly sandbox: boolean;
  readonly status: ChallengeStatus;
  readonly closedReason: ClosedReason | null;
  readonly customerReference: string | null;
  readonly livenessOnly: boolean;
  readonly requireConsent: boolean;
  readonly flow: Flow;
  /** {@link SealedRequest} under the account's key. */
  readonly sealedRequest: Buffer | null;
  /** SHA-256 of the token of the device that tapped start; null before. */
  readonly deviceTokenHash: Buffer | null;
  /** Captures submitted so far. */
  readonly triesUsed: number;
  readonly consent: Consent | null;
  readonly overallResult: 'pass' | 'fail' | null;
  /** {@link StoredResult} under the account's key; null until judged. */
  readonly sealedResult: Buffer | null;
  readonly createdAt: Date;
  readonly initiatedAt: Date | null;
  readonly expiresAt: Date;
  readonly closedAt: Date | null;
}

/** What of a request holds FeatID strings or client secrets, sealed as JSON. */
export interface SealedRequest {
  readonly compare_to_featids: readonly string[];
  readonly notifications: {
    readonly complete: readonly NotificationConfiguration[];
    readonly expired: readonly NotificationConfiguration[];
  };
}

/** A judged challenge's outcome, sealed as JSON. `cues` are for the operator's console only. */
export interface StoredResult {
  readonly liveness: {
    readonly face: boolean;
    readonly smile: boolean;
    readonly spoof_result: boolean;
    readonly overall: boolean;
  };
  readonly liveness_featid: string | null;
  /** Null in a liveness-only challenge; empty where no template could be made. */
  readonly compared: readonly ComparedFeatid[] | null;
  readonly reasons: readonly string[];
  readonly cues: Readonly<Record<string, unknown>>;
}

export interface Capture {
  readonly id: string;
  readonly challengeId: string;
  /** 1 for the first capture of its challenge. */
  readonly attempt: number;
  readonly state: CaptureProgressState;
  readonly script: Script;
  readonly issuedAt: Date;
  readonly commitDeadline: Date;
  readonly committedAt: Date | null;
  readonly uploadDeadline: Date | null;
  /** SHA-256 that the page committed to. */
  readonly sha256: Buffer | null;
  readonly sizeBytes: number | null;
  readonly mimeType: string | null;
  /** What the page said about itself; never believed. */
  readonly hints: Readonly<Record<string, unknown>> | null;
  readonly receivedBytes: number;
  readonly assetId: string | null;
  readonly submittedAt: Date | null;
  /** Times that a worker began to judge it. */
  readonly judgementStarts: number;
  readonly rejectedReason: RetryReason | null;
}

export interface StoredEvent {
  readonly name: ChallengeEventName;
  readonly at: Date;
}

export type AssetKind = 'liveness_video' | 'best_frame' | 'logo';

/** An asset row: bytes lie in the asset store under `id`. */
export interface Asset {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly kind: AssetKind;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** The asset's own key under the account's key. */
  readonly sealedKey: Buffer;
  readonly createdAt: Date;
}

/** What the privacy screen names of the account. */
export interface AccountFace {
  readonly displayName: string;
  readonly privacyUrl: string | null;
  readonly purpose: string | null;
}
