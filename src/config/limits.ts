// Numbers that no operator has a reason to change. They are part of the configuration, so that tests can compose
// services with others.
import { RETRY_DELAYS_MS } from '../webhook/schedule.ts';

export interface Limits {
  /** Videos that may wait for judgement for each worker process; above that, no new recording is started. */
  readonly waitingPerWorker: number;
  /** Recordings that a worker process judges while they are being made, some 50 MB each. */
  readonly recordingsPerWorker: number;
  /** Connections of one process to DATABASE_URL. */
  readonly databaseConnections: Readonly<Record<'all' | 'api' | 'worker', number>>;
  /** Requests a minute with one API key. */
  readonly keyRatePerMinute: number;
  /** Requests a minute from one address (IPv6: /64) to the capture page. */
  readonly pageRatePerMinute: number;
  /** Requests a minute with a wrong API key from one address (IPv6: /64); a key that was valid before still passes. */
  readonly wrongKeyRatePerMinute: number;
  /** Bytes of the longest recording; at most MAX_VIDEO_BYTES, which is as much as can be judged. */
  readonly maxUploadBytes: number;
  readonly maxPictureBytes: number;
  /** Free bytes on the disks of the embedded database and of the assets below which no more video is accepted. */
  readonly minFreeDiskBytes: number;
  /** Bytes of videos and frames that one account may store; null: half of the disk that holds them, no limit in S3. */
  readonly accountStorageBytes: number | null;
  /** Days for which an erased FeatureID is reported as `featid_revoked`, and after that as `featid_unknown`. */
  readonly tombstoneDays: number;
  /** Days for which a recording is known again by hashes of its frames, and refused. */
  readonly replayWindowDays: number;
  /** Days for which lines of the audit log are kept. The schema refuses to delete one that is younger than 400. */
  readonly auditRetentionDays: number;
  /** Days for which a key signs the OpenID Provider's tokens. */
  readonly signingKeyDays: number;
  /** Waits after each failed attempt to deliver a webhook; there is one more attempt than there are waits. */
  readonly retryDelaysMs: readonly number[];
}

/** What a deployment uses. Chosen, not measured, unless a reason is given. */
export const LIMITS: Limits = {
  // Three minutes of work, whose rate is measured (bench/RESULTS.md).
  waitingPerWorker: 120,
  // As many as one core follows without a late answer (bench/follows.ts).
  recordingsPerWorker: 3,
  // Work that a process does at a time holds two; a worker's other connections are its job queues' own.
  databaseConnections: { all: 10, api: 8, worker: 4 },
  // More than ten times what a hundred workers can judge, each created and read once (docs/load-model.md).
  keyRatePerMinute: 100_000,
  // Two hundred recordings of 10 s: many people may share the address of an office or a mobile network.
  pageRatePerMinute: 12_000,
  wrongKeyRatePerMinute: 60,
  maxUploadBytes: 20_000_000,
  maxPictureBytes: 10_000_000,
  minFreeDiskBytes: 500_000_000,
  accountStorageBytes: null,
  tombstoneDays: 365,
  replayWindowDays: 7,
  // A year and a month, so that a yearly audit sees all of it.
  auditRetentionDays: 400,
  signingKeyDays: 30,
  retryDelaysMs: RETRY_DELAYS_MS,
};
