// The tables of challenges as Kysely types; src/storage/migrations has their SQL.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { PublicRequest } from '../../contract/challenge-request.ts';
import type { LivenessLevel } from '../../contract/liveness-level.ts';
import type { CameraRefusal } from '../../contract/page-event.ts';
import type { ChallengeStatus, ClosedReason } from '../../contract/states.ts';
import type { CreatedAt } from '../../storage/postgres/column-types.ts';

export interface ChallengeTable {
  id: string;
  account_id: string;
  sandbox: Generated<boolean>;
  status: Generated<ChallengeStatus>;
  closed_reason: ClosedReason | null;
  public_request: JSONColumnType<PublicRequest>;
  sealed_request: Buffer;
  link_hash: Buffer;
  device_token_hash: Buffer | null;
  logo_tried_at: Date | null;
  tries_used: Generated<number>;
  consent_given_at: Date | null;
  sealed_consent: Buffer | null;
  sealed_made_passkey: Buffer | null;
  overall_result: 'pass' | 'fail' | null;
  sealed_result: Buffer | null;
  created_at: CreatedAt;
  initiated_at: Date | null;
  expires_at: Date;
  closed_at: Date | null;
}

export interface ChallengeEventTable {
  id: Generated<number>;
  challenge_id: string;
  name: string;
  at: CreatedAt;
  detail: JSONColumnType<{ readonly cause: CameraRefusal }> | null;
}

export interface CaptureTable {
  id: string;
  challenge_id: string;
  account_id: string;
  attempt: number;
  state: 'issued' | 'committed' | 'submitted' | 'judged' | 'rejected' | 'abandoned';
  level: LivenessLevel;
  script: JSONColumnType<object>;
  performed_script: JSONColumnType<object> | null;
  restarted: Generated<boolean>;
  try_returned: Generated<boolean>;
  issued_at: CreatedAt;
  commit_deadline: Date;
  committed_at: Date | null;
  upload_deadline: Date | null;
  finish_lease_until: Date | null;
  slices: ColumnType<unknown, string | undefined, string>;
  handed_out_ms: Generated<number[]>;
  size_bytes: number | null;
  mime_type: string | null;
  received_bytes: Generated<number>;
  chunks: Generated<number>;
  asset_id: string | null;
  submitted_at: Date | null;
  judgement_starts: Generated<number>;
  taken_by: ColumnType<number | null, string | null, string | null>;
  judge_after: Date | null;
  fault_since: Date | null;
  sealed_hints: Buffer | null;
  asks_passkey: Generated<boolean>;
  sealed_passkey_answer: Buffer | null;
  sealed_try: Buffer | null;
  shared_prints: number | null;
  rejected_reason: string | null;
}

interface CaptureChunkTable {
  capture_id: string;
  position: number;
  sealed_bytes: Buffer;
}

interface FramePrintTable {
  capture_id: string;
  print: Buffer;
  committed_at: Date;
}

export interface AssetTable {
  id: string;
  account_id: string;
  challenge_id: string | null;
  kind: 'liveness_video' | 'best_frame' | 'logo';
  mime_type: string;
  size_bytes: number;
  sealed_key: Buffer;
  created_at: CreatedAt;
  delete_after: Date | null;
  deleting: Generated<boolean>;
}

interface StoredBytesTable {
  id: Generated<number>;
  account_id: string;
  bytes: number;
}

interface JudgementTurnTable {
  account_id: string;
  at: Date;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    challenge: ChallengeTable;
    challenge_event: ChallengeEventTable;
    capture: CaptureTable;
    capture_chunk: CaptureChunkTable;
    frame_print: FramePrintTable;
    asset: AssetTable;
    stored_bytes: StoredBytesTable;
    judgement_turn: JudgementTurnTable;
  }
}
