// The parts that every service of this room works with; src/composition puts them together.
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Featids } from '../featid/featids.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Custody } from '../keys/account-keys.ts';
import type { ReceiptKeys } from '../keys/receipt-keys.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { Notifier } from '../storage/postgres/coordination/notifier.ts';
import type { AssetStore } from './assets/encrypted-assets.ts';
import type { StorageRoom } from './assets/storage-room.ts';
import type { ChallengeSettings } from './settings.ts';
import type { ChallengeStore } from './tables/store.ts';
import type { UsualSeconds } from './tables/usual-seconds.ts';

export interface ChallengeParts {
  readonly store: ChallengeStore;
  readonly assets: AssetStore;
  readonly room: StorageRoom;
  readonly custody: Custody;
  readonly idempotency: Pick<Idempotency, 'transacted'>;
  readonly featids: Pick<Featids, 'check' | 'createForSandbox'>;
  readonly passkeys: Passkeys;
  /**
   * Fetches a client-supplied logo through the guarded fetch; null if it cannot be fetched or is not a raster image ≤ 1
   * MB.
   */
  readonly fetchImage: (
    url: string,
    limits: { maxBytes: number; timeoutMs: number },
  ) => Promise<Uint8Array | null>;
  /** Wakes waiting pages, by challenge id. */
  readonly notifier: Notifier;
  readonly receiptKeys: Pick<ReceiptKeys, 'sign'>;
  /** At most a minute old. */
  readonly usualSeconds: () => Promise<UsualSeconds>;
  readonly clock: Clock;
  readonly settings: ChallengeSettings;
  readonly log: Logger;
}

/** The parts of settlement, which makes FeatureIDs and deliveries. */
export interface SettlementParts {
  readonly store: ChallengeStore;
  readonly assets: AssetStore;
  readonly custody: Custody;
  readonly featids: Pick<Featids, 'create'>;
  readonly passkeys: Pick<Passkeys, 'ofChallenge' | 'verify' | 'verifyNew' | 'seal'>;
  readonly clock: Clock;
}
