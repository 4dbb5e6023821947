// The doctor's check of the master key: whether this database was created with it.
import type { Config } from '../config/config.ts';
import type { MasterKeys } from '../keys/master-key-ring.ts';
import { describeSource, openMasterKeys } from '../keys/master-key-source.ts';
import { wrappedKeyOf } from '../keys/tables/wrapped-keys.ts';
import type { OpenDatabase } from '../storage/open-database.ts';
import type { Finding } from './check.ts';

/** Checks the master key. @throws Fault of the master key, also if it does not open an account */
export async function checkMasterKey(config: Config, database: OpenDatabase | undefined): Promise<Finding> {
  const masterKeys = await openMasterKeys(config);
  const source = describeSource(config);
  if (!database)
    return { status: 'notEvaluated', detail: `${source} is well-formed; there is no database to try it on` };
  const opened = await openAccounts(database, masterKeys);
  return { status: 'ok', detail: opened ? `${source} opens the accounts` : `${source}; no accounts yet` };
}

/** Opens one account for each master key in use. Returns false if there are no accounts. */
async function openAccounts({ db }: OpenDatabase, masterKeys: MasterKeys): Promise<boolean> {
  const rows = await db
    .selectFrom('account')
    .distinctOn('master_key_id')
    .select(['id', 'wrapped_key', 'master_key_id'])
    .orderBy('master_key_id')
    .execute();
  for (const row of rows) {
    await masterKeys.unwrap(row.id, wrappedKeyOf(row));
  }
  return rows.length > 0;
}
