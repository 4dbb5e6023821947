// Checks that the master keys held here are this database's. With other keys the service would be ready but fail every
// request, and whatever it wrapped meanwhile would be lost with those keys.
import { Fault } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import { sampleAccounts } from '../keys/tables/wrapped-keys.ts';
import type { Database } from '../storage/postgres/database.ts';

const MEND =
  'set MASTER_KEY, MASTER_KEY_FILE or MASTER_KEY_MODULE to the key with which this database was created';

/**
 * Tries the oldest and the newest account of each master key in use. If only some open (an old key was removed too
 * early, or is lost), it logs an error, and the accounts that open are served.
 * @throws Fault KEY_UNKNOWN or SEAL_BROKEN if there are accounts and none of them opens
 */
export async function requireMasterKey(db: Database, keys: AccountKeys, log: Logger): Promise<void> {
  const samples = await sampleAccounts(db);
  const closed = new Map<string, Fault>();
  for (const { masterKeyId, accounts } of samples) {
    const fault = await whyClosed(keys, accounts);
    if (fault) closed.set(masterKeyId, fault);
  }
  const [first] = closed.values();
  if (!first) return;
  if (closed.size === samples.length) {
    throw new Fault(first.code, `master key ${[...closed.keys()].join(', ')}; ${MEND}`, { cause: first });
  }
  log.error(
    { master_keys: [...closed.keys()] },
    `accounts under a master key cannot be opened: also ${MEND}`,
  );
}

/** Undefined if one of them opens, or if the key management service is unavailable; requests will try it again. */
async function whyClosed(keys: AccountKeys, accounts: readonly string[]): Promise<Fault | undefined> {
  let why: Fault | undefined;
  for (const account of accounts) {
    try {
      // Custody caches what it unwraps, so a key management service is called only once.
      await keys.fingerprint(account, 'start', Buffer.alloc(0));
      return undefined;
    } catch (error) {
      if (!(error instanceof Fault && (error.code === 'KEY_UNKNOWN' || error.code === 'SEAL_BROKEN')))
        return undefined;
      why = error;
    }
  }
  return why;
}
