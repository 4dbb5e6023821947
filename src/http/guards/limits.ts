// Limits on what the HTTP surface reads before it trusts anything. The limit on path parameters applies before parsing.
import { CHUNK_BYTES } from '../../challenge/settings.ts';

/** Upper limits on requests: counts, bytes, milliseconds unless the name says otherwise. */
export interface HttpLimits {
  /** Largest JSON body. 100 FeatureIDs and 20 notifications with long URLs and secrets stay under 150 kB. */
  readonly jsonBodyBytes: number;
  /**
   * Largest JSON body from the capture page, which anybody may send. A commit with paths in all its steps takes 16 kB.
   */
  readonly pageBodyBytes: number;
  /** Largest body of one chunk of a recording: the challenge room's own limit. */
  readonly chunkBytes: number;
  /** Concurrent upload bodies of one link. A page sends one at a time, and sends it again if the connection broke. */
  readonly uploadsOfLink: number;
  /** Concurrent upload bodies of one address, which everyone in an office or behind a carrier's NAT may share. */
  readonly uploadsOfAddress: number;
  /** Concurrent upload bodies in this process: 64 MiB of memory. */
  readonly uploadsAtOnce: number;
  /** Concurrent pictures in this process. Each stays in memory until it is answered, together with its ciphertext. */
  readonly picturesAtOnce: number;
  /** Concurrent test webhooks of one account. Each calls an address of the account's choice, for up to 15 s. */
  readonly webhookTestsOfAccount: number;
  /** Concurrent test webhooks in this process. */
  readonly webhookTestsAtOnce: number;
  /** From the first byte of a request to the last of its headers. */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the last of its body. Enough for one chunk at 140 kbit/s. */
  readonly requestTimeoutMs: number;
  /** For a connection without traffic; longer than the longest long poll. */
  readonly connectionTimeoutMs: number;
  /** For a connection idle between requests; above the 60 s for which load balancers commonly keep theirs. */
  readonly keepAliveTimeoutMs: number;
  /** For the rest of a body after the answer that closes its connection. */
  readonly lingerMs: number;
  /** How often node checks for requests that have timed out. */
  readonly timeoutCheckIntervalMs: number;
  /** Mean event loop delay over one second above which requests get 503. */
  readonly maxEventLoopDelayMs: number;
  /**
   * Look-ups per second of API keys that this process has not seen before, from all addresses together. Bounds the load
   * that a distributed flood puts on the database.
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
  // Both chosen, not measured: a developer tries out an endpoint under construction.
  webhookTestsOfAccount: 5,
  webhookTestsAtOnce: 50,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  connectionTimeoutMs: 90_000,
  keepAliveTimeoutMs: 65_000,
  // Chosen, not measured: as long as nginx leaves its own clients.
  lingerMs: 5_000,
  timeoutCheckIntervalMs: 2_000,
  maxEventLoopDelayMs: 1_000,
  // Chosen, not measured: each is one index look-up.
  unknownKeysPerSecond: 50,
  maxOutcomeWaitSeconds: 25,
};

/** Longest path parameter; ids have 30 characters, link tokens 43. */
export const MAX_PARAM_LENGTH = 128;
