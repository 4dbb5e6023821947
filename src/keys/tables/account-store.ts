// Accounts in PostgreSQL: their public details and their wrapped keys.
import type { Selectable, Updateable } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { WrappedKeyStore } from '../account-keys.ts';
import type { Account, AccountStore } from '../account-store.ts';
import type { RewrapStore } from '../rotate-master.ts';
import { insertApiKey } from './api-key-store.ts';
import type { AccountTable } from './schema.ts';
import { insertWebhookSecret } from './webhook-secret-store.ts';
import { wrappedKeys } from './wrapped-keys.ts';

const COLUMNS = ['id', 'name', 'display_name', 'privacy_url', 'purpose', 'sandbox_of', 'created_at'] as const;

export function createAccountStore(db: Database): AccountStore & WrappedKeyStore & RewrapStore {
  const findBy = async (column: 'id' | 'name' | 'sandbox_of', value: string) => {
    const row = await db.selectFrom('account').select(COLUMNS).where(column, '=', value).executeTakeFirst();
    return row && toAccount(row);
  };
  return {
    insert: (account, actor) =>
      db.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto('account')
          .values({
            id: account.id,
            name: account.name,
            display_name: account.displayName,
            privacy_url: account.privacyUrl,
            purpose: account.purpose,
            sandbox_of: account.sandboxOf,
            wrapped_key: account.key.wrapped,
            master_key_id: account.key.masterKeyId,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) return 'taken';
        await writeAudit(trx, {
          actor,
          action: 'account.created',
          accountId: account.id,
          subject: account.id,
        });
        await insertApiKey(trx, account.apiKey, actor);
        await insertWebhookSecret(trx, { ...account.webhookSecret, accountId: account.id }, actor);
        return 'inserted';
      }),
    find: (accountId) => findBy('id', accountId),
    findByName: (name) => findBy('name', name),
    findSandboxOf: (accountId) => findBy('sandbox_of', accountId),
    list: async () =>
      (await db.selectFrom('account').select(COLUMNS).orderBy('name').execute()).map(toAccount),
    ...wrappedKeys(db),
  };
}

/** Changes columns of an account and writes its audit line. False if there is no such account. */
export async function changeAccount(
  trx: Trx,
  accountId: string,
  change: Updateable<AccountTable>,
  actor: string,
): Promise<boolean> {
  const changed = await trx
    .updateTable('account')
    .set(change)
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return false;
  await writeAudit(trx, { actor, action: 'account.changed', accountId, subject: accountId });
  return true;
}

function toAccount(row: Pick<Selectable<AccountTable>, (typeof COLUMNS)[number]>): Account {
  return {
    id: row.id,
    name: row.name,
    displayName: row.display_name,
    privacyUrl: row.privacy_url,
    purpose: row.purpose,
    sandboxOf: row.sandbox_of,
    createdAt: row.created_at,
  };
}
