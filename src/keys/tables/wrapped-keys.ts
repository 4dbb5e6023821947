// Keys wrapped by a master key: each account's own, and the OpenID Provider's, which is listed among them under its own
// name.
import { sql } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { WrappedKey } from '../master-key-ring.ts';
import { PROVIDER_HOLDER } from '../provider-key.ts';
import type { RewrapStore } from '../rotate-master.ts';

interface KeyRow {
  readonly wrapped_key: Buffer;
  readonly master_key_id: string;
}

/** A row's key, in the form that the master keys accept. */
export const wrappedKeyOf = (row: KeyRow): WrappedKey => ({
  wrapped: row.wrapped_key,
  masterKeyId: row.master_key_id,
});

export type WrappedKeyStore = Pick<ReturnType<typeof wrappedKeys>, 'readWrappedKey'>;

export function wrappedKeys(db: Database) {
  return {
    /** The key of an account, or under PROVIDER_HOLDER the provider's; undefined if there is none. */
    readWrappedKey: async (holder: string): Promise<WrappedKey | undefined> => {
      const columns = ['wrapped_key', 'master_key_id'] as const;
      const row =
        holder === PROVIDER_HOLDER
          ? await db.selectFrom('oidc_root').select(columns).executeTakeFirst()
          : await db.selectFrom('account').select(columns).where('id', '=', holder).executeTakeFirst();
      return row && wrappedKeyOf(row);
    },
    ...rewrapping(db),
  };
}

function rewrapping(db: Database): RewrapStore {
  return {
    listWrappedOtherwise: async (masterKeyId, afterId, limit) => {
      const { rows } = await sql<KeyRow & { readonly id: string }>`
        select id, wrapped_key, master_key_id from account where master_key_id <> ${masterKeyId} and id > ${afterId}
        union all
        select ${PROVIDER_HOLDER}, wrapped_key, master_key_id from oidc_root
          where master_key_id <> ${masterKeyId} and ${PROVIDER_HOLDER} > ${afterId}
        order by id limit ${limit}`.execute(db);
      return rows.map((row) => ({ accountId: row.id, key: wrappedKeyOf(row) }));
    },
    rewrap: (holder, from, to, actor) =>
      db.transaction().execute(async (trx) => {
        const wrap = { wrapped_key: to.wrapped, master_key_id: to.masterKeyId };
        const isProvider = holder === PROVIDER_HOLDER;
        const { numUpdatedRows } = isProvider
          ? await trx
              .updateTable('oidc_root')
              .set(wrap)
              .where('wrapped_key', '=', from.wrapped)
              .executeTakeFirst()
          : await trx
              .updateTable('account')
              .set(wrap)
              .where('id', '=', holder)
              .where('wrapped_key', '=', from.wrapped)
              .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        const action = isProvider ? 'oidc.key_rewrapped' : 'account.key_rewrapped';
        await writeAudit(trx, { actor, action, accountId: isProvider ? null : holder, subject: holder });
        return true;
      }),
  };
}

/** The provider's key, as src/keys/provider-key.ts makes it. */
export const providerKeyStore = (db: Database) => ({
  hasProviderKey: async () =>
    (await db.selectFrom('oidc_root').select('master_key_id').executeTakeFirst()) !== undefined,
  insertProviderKey: async (key: WrappedKey) => {
    const row = { wrapped_key: key.wrapped, master_key_id: key.masterKeyId };
    await db
      .insertInto('oidc_root')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
});

/** The oldest and the newest account under each master key in use. */
export async function sampleAccounts(
  db: Database,
): Promise<{ masterKeyId: string; accounts: readonly string[] }[]> {
  const { rows } = await sql<{ masterKeyId: string; accounts: string[] }>`
    select master_key_id as "masterKeyId", array[min(id collate "C"), max(id collate "C")] as accounts
    from account group by master_key_id`.execute(db);
  return rows;
}
