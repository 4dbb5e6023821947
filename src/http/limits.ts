// Limits of what the HTTP surface reads before it believes anything. On the path: before parsing.
import { CHUNK_BYTES } from '../challenge/settings.ts';

/** Limits of requests; all are ceilings, milliseconds or bytes. */
export interface HttpLimits {
  /** Largest JSON body. 100 FeatureIDs and 20 notifications with long URLs and secrets stay under 150 kB. */
  readonly jsonBodyBytes: number;
  /** Largest JSON body of the capture page, which anybody may send. A commit with paths in all its steps has 16 kB. */
  readonly pageBodyBytes: number;
  /** Largest body of one upload PATCH; the challenge room's own limit. */
  readonly chunkBytes: number;
  /** Upload bodies of one link at once: a page sends one, and again where the line broke. */
  readonly uploadsOfLink: number;
  /** Upload bodies of one address at once: the people behind one office's or carrier's. */
  readonly uploadsOfAddress: number;
  /** Upload bodies of this process at once: 64 MiB of memory. */
  readonly uploadsAtOnce: number;
  /** Pictures of this process at once: each is in memory until it is answered, and its ciphertext with it. */
  readonly picturesAtOnce: number;
  /** Test webhooks of one account at once: each is a call to an address of its choice, of up to 15 s. */
  readonly webhookTestsOfAccount: number;
  /** Test webhooks of this process at once. */
  readonly webhookTestsAtOnce: number;
  /** From the first byte of a request to the last of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the last of its body: one chunk at 140 kbit/s. */
  readonly requestTimeoutMs: number;
  /** A connection on which nothing moves; longer than the longest long poll. */
  readonly connectionTimeoutMs: number;
  /** An idle connection between requests; above the 60 s that load balancers commonly keep theirs. */
  readonly keepAliveTimeoutMs: number;
  /** How often node looks for requests past their time. */
  readonly timeoutCheckIntervalMs: number;
  /** Mean event loop delay over one second from which requests get 503. */
  readonly maxEventLoopDelayMs: number;
  /**
   * API keys a second that this process has not seen before and looks up, from all addresses together: what a flood that
   * comes from everywhere may ask of the database.
   */
  readonly unknownKeysPerSecond: number;
  /** Longest wait of GET /c/:token/outcome, seconds. */
  readonly maxOutcomeWaitSeconds: number;
}

export const HTTP_LIMITS: HttpLimits = {
  jsonBodyBytes: 256_000,
  pageBodyBytes: 32_000,
  chunkBytes: CHUNK_BYTES,
  uploadsOfLink: 3,
  uploadsOfAddress: 32,
  uploadsAtOnce: 128,
  picturesAtOnce: 16,
  // Both chosen, not measured: somebody tries out the endpoint that is being built.
  webhookTestsOfAccount: 5,
  webhookTestsAtOnce: 50,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  connectionTimeoutMs: 90_000,
  keepAliveTimeoutMs: 65_000,
  timeoutCheckIntervalMs: 2_000,
  maxEventLoopDelayMs: 1_000,
  // Chosen, not measured: each is one look-up by an index.
  unknownKeysPerSecond: 50,
  maxOutcomeWaitSeconds: 25,
};

/** Longest path parameter; ids have 30 characters, link tokens 43. */
export const MAX_PARAM_LENGTH = 128;
