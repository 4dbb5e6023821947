// Rows of the challenge tables as the challenge room's records, and back.
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { RetryReason } from '../../contract/capture-page.ts';
import type { DrawnScript, Script } from '../../contract/script.ts';
import type { ChallengeEventName } from '../../contract/states.ts';
import type { ChallengeKeys } from '../../keys/erasure-key.ts';
import type { Schema } from '../../storage/postgres/schema.ts';
import type { Asset, Capture, Challenge, ListedChallenge, StoredEvent } from '../challenge.ts';
import type { AssetTable, CaptureTable, ChallengeEventTable, ChallengeTable } from './schema.ts';

/** The columns of a challenge in lists. */
export const LISTED = [
  'challenge.id',
  'challenge.account_id',
  'challenge.sandbox',
  'challenge.status',
  'challenge.closed_reason',
  'challenge.public_request',
  'challenge.overall_result',
  'challenge.sealed_request',
  'challenge.created_at',
  'challenge.initiated_at',
  'challenge.expires_at',
  'challenge.closed_at',
] as const;

type Row = Selectable<ChallengeTable>;
type Unqualified<Name> = Name extends `challenge.${infer Column extends keyof ChallengeTable}`
  ? Column
  : never;
export type ListedRow = Pick<Row, Unqualified<(typeof LISTED)[number]>>;

export function challengeOf(row: Row, keys: ChallengeKeys): Challenge {
  return {
    ...listedOf(row, keys),
    deviceTokenHash: row.device_token_hash,
    triesUsed: row.tries_used,
    consentGivenAt: row.consent_given_at,
    sealedConsent: row.sealed_consent,
    sealedMadePasskey: row.sealed_made_passkey,
    sealedResult: row.sealed_result,
  };
}

/** What lists show of a challenge, from the columns that they read. */
export function listedOf(row: ListedRow, keys: ChallengeKeys): ListedChallenge {
  return {
    ...keys,
    id: row.id,
    accountId: row.account_id,
    sandbox: row.sandbox,
    status: row.status,
    closedReason: row.closed_reason,
    request: row.public_request,
    sealedRequest: row.sealed_request,
    overallResult: row.overall_result,
    createdAt: row.created_at,
    initiatedAt: row.initiated_at,
    expiresAt: row.expires_at,
    closedAt: row.closed_at,
  };
}

export function eventOf({
  name,
  at,
  detail,
}: Pick<Selectable<ChallengeEventTable>, 'name' | 'at' | 'detail'>): StoredEvent {
  return { name: name as ChallengeEventName, at, cause: detail?.cause ?? null };
}

export function captureOf(row: Selectable<CaptureTable>): Capture {
  return {
    id: row.id,
    challengeId: row.challenge_id,
    attempt: row.attempt,
    state: row.state,
    level: row.level,
    script: row.script as DrawnScript,
    handedOutMs: row.handed_out_ms,
    performedScript: row.performed_script as Script | null,
    issuedAt: row.issued_at,
    commitDeadline: row.commit_deadline,
    committedAt: row.committed_at,
    uploadDeadline: row.upload_deadline,
    slices: row.slices as Capture['slices'],
    sizeBytes: row.size_bytes,
    mimeType: row.mime_type,
    sealedHints: row.sealed_hints,
    asksPasskey: row.asks_passkey,
    sealedPasskeyAnswer: row.sealed_passkey_answer,
    receivedBytes: row.received_bytes,
    chunks: row.chunks,
    sealedTry: row.sealed_try,
    assetId: row.asset_id,
    submittedAt: row.submitted_at,
    judgementStarts: row.judgement_starts,
    rejectedReason: row.rejected_reason as RetryReason | null,
  };
}

/** Null if its key is destroyed: nothing can be read. */
export function assetOf(row: Selectable<AssetTable>, keys: ChallengeKeys): Asset | null {
  const erasureKey = row.kind === 'logo' ? keys.detailsKey : keys.videoKey;
  if (!erasureKey) return null;
  return {
    holder: { accountId: row.account_id, erasureKey },
    id: row.id,
    accountId: row.account_id,
    challengeId: row.challenge_id,
    kind: row.kind,
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes,
    sealedKey: row.sealed_key,
    createdAt: row.created_at,
  };
}

/** Discards an asset: its key at once, which makes its bytes useless; bytes and row with the next sweep. */
export const DISCARDED_ASSET = { deleting: true, sealed_key: Buffer.alloc(0) } as const;

/** Assets that can still be shown: not discarded, and within their retention by the database's clock. */
export const isShowable = (eb: ExpressionBuilder<Schema, 'asset'>) =>
  eb.and([
    eb('deleting', '=', false),
    eb.or([eb('delete_after', 'is', null), eb('delete_after', '>', sql<Date>`now()`)]),
  ]);
