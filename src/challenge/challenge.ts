// The records that this room works with: a challenge, its captures, events and assets, as the store holds them.

import type { CaptureProgressState, RetryReason } from '../contract/capture-page.ts';
import type { FlowStyle, Notifications, PublicRequest } from '../contract/challenge-request.ts';
import type { DeviceResult, PasskeyAnswer } from '../contract/device.ts';
import type { ConsoleTry, JudgedCue, JudgedMoment } from '../contract/judged-try.ts';
import type { LivenessLevel } from '../contract/liveness-level.ts';
import type { CameraRefusal } from '../contract/page-event.ts';
import type { FeatidSource } from '../contract/picture.ts';
import type { ReceiptFacts } from '../contract/receipt.ts';
import type { RegionStrengths } from '../contract/regions.ts';
import type { ComparedFeatid, Liveness } from '../contract/result.ts';
import type { DrawnScript, Script } from '../contract/script.ts';
import type { ChallengeEventName, ChallengeStatus, ClosedReason } from '../contract/states.ts';
import type { ErasableKey } from '../keys/account-keys.ts';
import type { ChallengeKeys } from '../keys/erasure-key.ts';

/** flow_behaviour and flow_style of the request. */
export interface Flow {
  readonly exit_redirect_url: string | null;
  /** Absent in requests stored before the field existed. */
  readonly alternative_url?: string | null;
  readonly style: FlowStyle;
  /** The words of a client of the account, which replace the account's own; absent if the account itself asks. */
  readonly words?: ClientWords;
}

/** The text that a person consented to (`consentTextVersion`) and its language (BCP 47). Sealed as JSON. */
export interface Consent {
  readonly text_version: string;
  readonly text_sha256: string;
  readonly language: string;
}

/** What sealing needs to know about a challenge, even before its row exists. */
export interface ChallengePlace extends ChallengeKeys {
  readonly id: string;
  readonly accountId: string;
}

export interface Challenge extends ChallengePlace {
  readonly sandbox: boolean;
  readonly status: ChallengeStatus;
  readonly closedReason: ClosedReason | null;
  readonly request: PublicRequest;
  /** {@link SealedRequest} under the details key. */
  readonly sealedRequest: Buffer;
  /** SHA-256 of the token of the device that was the last to start; null until one has. */
  readonly deviceTokenHash: Buffer | null;
  /** Scripts drawn so far. Each counts as a try, whatever came of it. */
  readonly triesUsed: number;
  readonly consentGivenAt: Date | null;
  /** {@link Consent} under the details key. */
  readonly sealedConsent: Buffer | null;
  readonly overallResult: 'pass' | 'fail' | null;
  /** The passkey made in a try that was sent back, under the details key; null if none. */
  readonly sealedMadePasskey: Buffer | null;
  /** {@link StoredResult} under the details key; null until judged. */
  readonly sealedResult: Buffer | null;
  readonly createdAt: Date;
  readonly initiatedAt: Date | null;
  readonly expiresAt: Date;
  readonly closedAt: Date | null;
}

/** A challenge as lists show it. */
export type ListedChallenge = Omit<
  Challenge,
  'deviceTokenHash' | 'triesUsed' | 'consentGivenAt' | 'sealedConsent' | 'sealedMadePasskey' | 'sealedResult'
>;

/** The parts of a request that may identify a person or are secret. Sealed as JSON. */
export interface SealedRequest {
  readonly customer_reference: string | null;
  readonly flow: Flow;
  readonly compare_to_featids: readonly string[];
  readonly notifications: Notifications;
}

/**
 * Details of a judgement that only the operator's console shows. Each is absent if no video was judged.
 */
export interface JudgementDetails {
  readonly cues?: readonly JudgedCue[];
  readonly timings_ms?: Readonly<Record<string, number>>;
  readonly page_hints?: PageHints | null;
  /** Keyed by the FeatureIDs compared with. */
  readonly region_strengths?: Readonly<Record<string, RegionStrengths>>;
}

/** A judged challenge's outcome, sealed as JSON. */
export interface StoredResult {
  readonly liveness: Liveness;
  readonly liveness_featid: string | null;
  /** The level of the judged recording; absent if nothing was recorded. */
  readonly level?: LivenessLevel;
  /** Null in a liveness-only challenge; empty if no template could be made. */
  readonly compared: readonly ComparedFeatid[] | null;
  /** What each FeatureID in `compared` was made from, in the same order. */
  readonly sources: readonly FeatidSource[];
  readonly reasons: readonly string[];
  readonly cues: JudgementDetails;
  /** Absent if the challenge has nothing to do with devices. */
  readonly device?: DeviceResult;
  /** Absent if no judgement was completed. */
  readonly receipt?: ReceiptFacts;
}

/** The judgement of one try and its curves, for the operator's console only. Sealed as compressed JSON. */
export interface StoredTry extends ConsoleTry {
  readonly durationMs: number;
  readonly moments: readonly JudgedMoment[];
}

/** What a device answered after the recording. Sealed as JSON. */
export interface PasskeyEvidence {
  readonly answer: PasskeyAnswer;
  /** Head of the chain of the recording's slices, base64url; absent until every byte has arrived. */
  readonly head?: string;
}

/** A slice of a recording, as the page announced it. */
export interface Slice {
  readonly size_bytes: number;
  /** Its end by the page's clock, in milliseconds from the recorder's start. */
  readonly to_ms: number;
  /** When it was announced, by the database's clock, in milliseconds from the capture's issue. */
  readonly announced_ms: number;
  /** HMAC of the previous slice's MAC and this slice's SHA-256, under the challenge's details key, in base64. */
  readonly mac: string;
}

export interface Capture {
  readonly id: string;
  readonly challengeId: string;
  /** 1 for the first capture of its challenge. */
  readonly attempt: number;
  readonly state: CaptureProgressState;
  /** The level that the script was drawn at. */
  readonly level: LivenessLevel;
  readonly script: DrawnScript;
  /**
   * When each of the script's steps so far was handed out, by the database's clock, in milliseconds from the capture's
   * issue.
   */
  readonly handedOutMs: readonly number[];
  /** The script with the times at which the page says it showed the prompts; null before the commit. */
  readonly performedScript: Script | null;
  readonly issuedAt: Date;
  readonly commitDeadline: Date;
  readonly committedAt: Date | null;
  readonly uploadDeadline: Date | null;
  /** The slices announced so far, in order. Together they form the video. */
  readonly slices: readonly Slice[];
  /** Total bytes of the slices; null before the first. */
  readonly sizeBytes: number | null;
  readonly mimeType: string | null;
  /** {@link PageHints} under the challenge's details key. */
  readonly sealedHints: Buffer | null;
  /** Whether the device is asked to sign the recording. */
  readonly asksPasskey: boolean;
  /** {@link PasskeyEvidence} under the challenge's details key; null before the answer. */
  readonly sealedPasskeyAnswer: Buffer | null;
  readonly receivedBytes: number;
  /** Number of chunks in which they came. */
  readonly chunks: number;
  /** {@link StoredTry} under the challenge's details key; null if it was not judged. */
  readonly sealedTry: Buffer | null;
  readonly assetId: string | null;
  readonly submittedAt: Date | null;
  /** How often a worker has started to judge it. */
  readonly judgementStarts: number;
  readonly rejectedReason: RetryReason | null;
}

/** What the page reported about itself; never trusted. Sealed as JSON. */
export type PageHints = Readonly<Record<string, unknown>>;

export interface StoredEvent {
  readonly name: ChallengeEventName;
  readonly at: Date;
  /** What denied the camera; null for any other event, and if the page did not say. */
  readonly cause: CameraRefusal | null;
}

export type AssetKind = 'liveness_video' | 'best_frame' | 'logo';

/** An asset row. The bytes are in the asset store under `id`. */
export interface Asset {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly kind: AssetKind;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** The asset's own key, sealed under `holder`. */
  readonly sealedKey: Buffer;
  readonly holder: ErasableKey;
  readonly createdAt: Date;
}

/** An asset row to be written. */
export type NewAsset = Omit<Asset, 'createdAt' | 'holder'>;

/** What the privacy screen says about the account. */
export interface AccountFace {
  readonly displayName: string;
  readonly privacyUrl: string | null;
  readonly purpose: string | null;
}

/** What the privacy screen says when a client of the account asks. */
export interface ClientWords extends AccountFace {
  /** The client's own part of the consent text; absent in challenges stored before the field existed. */
  readonly consentText?: string | null;
}
