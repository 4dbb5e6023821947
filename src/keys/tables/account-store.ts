// Accounts in PostgreSQL: their public details and their wrapped keys. Every change writes its audit row in the same
// transaction.
import type { Selectable, Updateable } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { WrappedKey } from '../master-key-ring.ts';
import type { Actor } from '../principal.ts';
import { insertApiKey, type NewApiKey } from './api-key-store.ts';
import type { AccountTable } from './schema.ts';
import { insertWebhookSecret, type SealedWebhookSecret } from './webhook-secret-store.ts';
import { wrappedKeys } from './wrapped-keys.ts';

/** A client of the service. */
export interface Account {
  readonly id: string;
  /** Unique; for operators. */
  readonly name: string;
  /** What the privacy screen shows. */
  readonly displayName: string;
  readonly privacyUrl: string | null;
  readonly purpose: string | null;
  /** The live account that this one is the sandbox of; null for a live one. */
  readonly sandboxOf: string | null;
  readonly createdAt: Date;
}

/** What an account is created with; the rest is set later. */
export type AccountDetails = Omit<Account, 'createdAt'>;

/** An account with everything that it needs; inserted as a whole or not at all. */
interface NewAccount extends AccountDetails {
  readonly key: WrappedKey;
  readonly apiKey: NewApiKey;
  readonly webhookSecret: SealedWebhookSecret;
}

const COLUMNS = ['id', 'name', 'display_name', 'privacy_url', 'purpose', 'sandbox_of', 'created_at'] as const;

export type AccountStore = ReturnType<typeof createAccountStore>;

export function createAccountStore(db: Database) {
  const findBy = async (
    column: 'id' | 'name' | 'sandbox_of',
    value: string,
  ): Promise<Account | undefined> => {
    const row = await db.selectFrom('account').select(COLUMNS).where(column, '=', value).executeTakeFirst();
    return row && toAccount(row);
  };
  return {
    /** `taken`: the name is in use, or the live account already has a sandbox. */
    insert: (account: NewAccount, actor: Actor): Promise<'inserted' | 'taken'> =>
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
    find: (accountId: string) => findBy('id', accountId),
    findByName: (name: string) => findBy('name', name),
    findSandboxOf: (accountId: string) => findBy('sandbox_of', accountId),
    list: async (): Promise<Account[]> =>
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
