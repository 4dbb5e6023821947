// The tables as Kysely types. They mirror src/storage/migrations and must be edited together with them.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { PublicRequest } from '../../../contract/challenge-request.ts';
import type { DeliveryEvent } from '../../../contract/delivery.ts';
import type { ChallengeStatus, ClosedReason } from '../../../contract/states.ts';
import type { CreatedAt } from './column-types.ts';
import type { CompareToFeatidTable, FeatidTable, PictureTable } from './featids.ts';
import type { OidcTables } from './oidc.ts';

export interface AccountTable {
  id: string;
  name: string;
  display_name: string;
  privacy_url: string | null;
  purpose: string | null;
  sandbox_of: string | null;
  wrapped_key: Buffer;
  master_key_id: string;
  created_at: CreatedAt;
}

export interface ApiKeyTable {
  id: string;
  account_id: string;
  hash: Buffer;
  hint: string;
  sandbox: Generated<boolean>;
  created_at: CreatedAt;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

interface ReceiptKeyTable {
  id: string;
  wrapped_key: Buffer;
  master_key_id: string;
  created_at: CreatedAt;
  retired_at: Date | null;
}

interface WebhookSecretTable {
  id: string;
  account_id: string;
  sealed_secret: Buffer;
  created_at: CreatedAt;
  expires_at: Date | null;
}

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
  overall_result: 'pass' | 'fail' | null;
  sealed_result: Buffer | null;
  created_at: CreatedAt;
  initiated_at: Date | null;
  expires_at: Date;
  closed_at: Date | null;
}

interface ErasureKeyTable {
  slot: number;
  id: string;
  key: Buffer;
  video_key: Buffer | null;
  reference_tag: Buffer | null;
}

interface KeyBucketTable {
  bucket: number;
  side: Generated<number>;
}

interface KeyErasureTable {
  id: Generated<number>;
  bucket: number;
  due_at: Date;
}

interface ChallengeEventTable {
  id: Generated<number>;
  challenge_id: string;
  name: string;
  at: CreatedAt;
  detail: JSONColumnType<object> | null;
}

export interface CaptureTable {
  id: string;
  challenge_id: string;
  account_id: string;
  attempt: number;
  state: 'issued' | 'committed' | 'submitted' | 'judged' | 'rejected' | 'abandoned';
  script: JSONColumnType<object>;
  performed_script: JSONColumnType<object> | null;
  restarted: Generated<boolean>;
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
  asset_id: string | null;
  submitted_at: Date | null;
  judgement_starts: Generated<number>;
  taken_by: ColumnType<number | null, string | null, string | null>;
  judge_after: Date | null;
  fault_since: Date | null;
  sealed_hints: Buffer | null;
  sealed_try: Buffer | null;
  shared_prints: number | null;
  rejected_reason: string | null;
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

interface AssetStoreTable {
  is_only: Generated<boolean>;
  mark: string;
  placed: Generated<boolean>;
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

interface IdempotencyRecordTable {
  account_id: string;
  path: string;
  key: string;
  fingerprint: Buffer;
  claim: string | null;
  sealed_answer: Buffer | null;
  challenge_id: string | null;
  created_at: CreatedAt;
  expires_at: Date;
}

export interface DeliveryTable {
  id: string;
  account_id: string;
  challenge_id: string | null;
  event: DeliveryEvent;
  endpoint_index: number;
  sealed_endpoint: Buffer;
  endpoint_hash: Buffer;
  status: Generated<'pending' | 'delivered' | 'failed' | 'cancelled'>;
  attempts: Generated<number>;
  schedule_step: Generated<number>;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  leases: Generated<number>;
  created_at: CreatedAt;
  finished_at: Date | null;
}

export interface DeliveryAttemptTable {
  id: Generated<number>;
  delivery_id: string;
  at: Date;
  duration_ms: number;
  response_status: number | null;
  outcome: string;
  sealed_excerpt: Buffer | null;
}

interface WebhookReceiverTable {
  endpoint_hash: Buffer;
  account_id: string;
  answered_at: Date | null;
  failures: Generated<number>;
  probe_at: Date | null;
  changed_at: Generated<Date>;
}

interface AuditTable {
  id: Generated<number>;
  at: CreatedAt;
  actor: string;
  action: string;
  account_id: string | null;
  subject: string | null;
  detail: JSONColumnType<object> | null;
}

interface ConsoleSessionTable {
  id: string;
  token_hash: Buffer;
  created_at: CreatedAt;
  last_used_at: Generated<Date>;
  expires_at: Date;
}

interface ConsoleUsedCodeTable {
  step: number;
  used_at: CreatedAt;
}

interface TaskTurnTable {
  task: string;
  due_at: Generated<Date>;
  holder: string | null;
  held_until: Date | null;
}

/** Every table of the service. `jsonb` columns are written as JSON text and read as objects. */
export interface Schema extends OidcTables {
  account: AccountTable;
  api_key: ApiKeyTable;
  webhook_secret: WebhookSecretTable;
  receipt_key: ReceiptKeyTable;
  challenge: ChallengeTable;
  erasure_key: ErasureKeyTable;
  key_bucket: KeyBucketTable;
  key_erasure: KeyErasureTable;
  challenge_event: ChallengeEventTable;
  capture: CaptureTable;
  capture_chunk: CaptureChunkTable;
  frame_print: FramePrintTable;
  asset: AssetTable;
  asset_store: AssetStoreTable;
  stored_bytes: StoredBytesTable;
  judgement_turn: JudgementTurnTable;
  featid: FeatidTable;
  picture: PictureTable;
  compare_to_featid: CompareToFeatidTable;
  idempotency_record: IdempotencyRecordTable;
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  webhook_receiver: WebhookReceiverTable;
  audit: AuditTable;
  task_turn: TaskTurnTable;
  console_session: ConsoleSessionTable;
  console_used_code: ConsoleUsedCodeTable;
}
