// Replaces a master key: re-wraps every account key that another master key wraps with the current one. The account
// keys themselves do not change, and neither does any FeatureID or sealed record.
import { Fault, type FaultCode } from '../base/errors.ts';
import type { MasterKeys, WrappedKey } from './master-key-ring.ts';

const BATCH = 100;

/** The wrapped keys of all accounts, or the receipt keys with their own ids in place of account ids. */
export interface RewrapStore {
  /** Accounts after `afterId` whose key is wrapped by any other master key than this one, sorted by id. */
  listWrappedOtherwise(
    masterKeyId: string,
    afterId: string,
    limit: number,
  ): Promise<{ accountId: string; key: WrappedKey }[]>;
  /** Replaces a wrap and writes an audit row; false if the stored wrap is no longer `from`. */
  rewrap(accountId: string, from: WrappedKey, to: WrappedKey, actor: string): Promise<boolean>;
}

interface Rotation {
  /** The master key that now wraps all of them except the failed ones. */
  readonly currentId: string;
  readonly rewrapped: number;
  /** Accounts whose master key is not held here, or whose wrap does not open; they are left unchanged. */
  readonly failed: readonly { accountId: string; masterKeyId: string; code: FaultCode }[];
}

/**
 * Wraps every account key under the current master key. Each account is one small transaction, so the rotation can be
 * run again after a crash, and two concurrent runs do no harm. A new wrap must open once before it replaces the old
 * one.
 * @param onProgress called after each account with the number done
 */
export async function rotateMaster(
  parts: { masterKeys: MasterKeys; store: RewrapStore },
  actor: string,
  onProgress: (done: number) => void = () => {},
): Promise<Rotation> {
  const { masterKeys, store } = parts;
  const failed: Rotation['failed'][number][] = [];
  let rewrapped = 0;
  let done = 0;
  let afterId = '';
  for (;;) {
    const batch = await store.listWrappedOtherwise(masterKeys.currentId, afterId, BATCH);
    for (const { accountId, key } of batch) {
      afterId = accountId;
      const next = await rewrapKey(masterKeys, accountId, key);
      if (typeof next === 'string') failed.push({ accountId, masterKeyId: key.masterKeyId, code: next });
      else if (await store.rewrap(accountId, key, next, actor)) rewrapped++;
      onProgress(++done);
    }
    if (batch.length < BATCH) return { currentId: masterKeys.currentId, rewrapped, failed };
  }
}

async function rewrapKey(
  masterKeys: MasterKeys,
  accountId: string,
  key: WrappedKey,
): Promise<WrappedKey | FaultCode> {
  let accountKey: Buffer;
  try {
    accountKey = await masterKeys.unwrap(accountId, key);
  } catch (error) {
    if (error instanceof Fault && (error.code === 'KEY_UNKNOWN' || error.code === 'SEAL_BROKEN'))
      return error.code;
    throw error;
  }
  const next = await masterKeys.wrap(accountId, accountKey);
  const again = await masterKeys.unwrap(accountId, next);
  if (!accountKey.equals(again))
    throw new Fault('INVARIANT', `the new wrap of the key of ${accountId} cannot be opened`);
  return next;
}
