// The parts that every service of this room works with; src/composition puts them together.
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/log.ts';
import type { Notifier } from '../base/notifier.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { ReceiptKeys } from '../keys/receipt-keys.ts';
import type { AssetStore, Custody, Featids, FetchImage, MakeDeliveries, StorageRoom } from './ports.ts';
import type { ChallengeSettings } from './settings.ts';
import type { ChallengeStore } from './store.ts';

export interface ChallengeParts {
  readonly store: ChallengeStore;
  readonly assets: AssetStore;
  readonly room: StorageRoom;
  readonly custody: Custody;
  readonly idempotency: Pick<Idempotency, 'transacted'>;
  readonly featids: Pick<Featids, 'check' | 'createForSandbox'>;
  readonly makeDeliveries: MakeDeliveries;
  readonly fetchImage: FetchImage;
  /** Wakes waiting pages, by challenge id. */
  readonly notifier: Notifier;
  readonly receiptKeys: Pick<ReceiptKeys, 'sign'>;
  readonly clock: Clock;
  readonly settings: ChallengeSettings;
  readonly log: Logger;
}

/** The parts of settlement, which makes FeatureIDs from templates `T`, and deliveries. */
export interface SettlementParts<T> {
  readonly store: ChallengeStore;
  readonly assets: AssetStore;
  readonly custody: Custody;
  readonly featids: Pick<Featids<T>, 'create'>;
  readonly makeDeliveries: MakeDeliveries;
}
