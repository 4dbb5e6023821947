// The part of the configuration that this room uses, and its own limits.
import type { LivenessLevel } from '../contract/liveness-level.ts';
import type { JustInTimeMode, Prompt } from '../contract/script.ts';
import { SLICE_MS } from '../contract/upload-limits.ts';

export interface ChallengeSettings {
  /** Public address of this region, without a trailing slash. */
  readonly baseUrl: string;
  /** In production an OAuth endpoint must be https. */
  readonly production: boolean;
  readonly webhookRequireHttps: boolean;
  /** Why the guarded fetch would never call this URL, whatever its name resolves to; null if it may. */
  readonly refusedTarget: (url: URL) => 'address_not_allowed' | 'port_not_allowed' | null;
  readonly assetLinkTtlSeconds: number;
  readonly assetRetentionDays: number;
  /** Of a challenge whose request names none. */
  readonly livenessLevel: LivenessLevel;
  readonly livenessPrompts: readonly Prompt[];
  readonly livenessJustInTime: JustInTimeMode;
  readonly maxUploadBytes: number;
  /** No new capture is issued once this many wait for judgement for each worker process. */
  readonly maxWaitingPerWorker: number;
}

/**
 * Most scripts drawn for one challenge. Each counts as a try; otherwise an attacker could ask until one fits a prepared
 * recording.
 */
export const MAX_TRIES = 3;
/** How many captures in progress a reload may replace; otherwise an attacker could get three scripts in one burst. */
export const MAX_RESTARTS = 1;
/**
 * Time from drawing the script to the commit of the recording's hash, in addition to the script itself: sending the
 * script to the page, starting the recorder, its tail, the hash, and sending the commit. About twice the 1.5–2.1 s that
 * a browser slowed to a sixth took at 400 kbit/s and 300 ms of latency (9 takes).
 */
export const COMMIT_SLACK_MS = 4_000;
/**
 * Time from drawing the script to the announcement of a slice, in addition to the recording before that slice: the
 * slice itself, and the slack of a commit.
 */
export const ANNOUNCE_WITHIN_MS = SLICE_MS + COMMIT_SLACK_MS;
/** Time from the commit to the last byte. */
export const UPLOAD_WITHIN_MS = 600_000;
/** Largest body of one chunk: a slow uplink (1 Mbit/s) sends it in about 4 s. */
export const CHUNK_BYTES = 512 * 1024;
/**
 * How often the judgement of one capture may be started. In place of a video that ends its worker this often, the person
 * is asked for another.
 */
export const MAX_JUDGEMENT_STARTS = 3;
/**
 * How long a capture waits for a machine that cannot judge it (an unreachable asset store, a full disk) before the
 * person is asked for another: longer than a restart or a remount, shorter than a person's patience. Chosen, not
 * measured.
 */
export const FAULT_PATIENCE_MS = 5 * 60_000;
/** Length of link and device tokens: 256 bits. */
export const SECRET_BYTES = 32;
