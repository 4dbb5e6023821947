// Keys wrapped by a master key: each account's own, and the service's own, which are listed among them under their
// holders.
import { sql } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { WrappedKey } from '../master-key-ring.ts';
import type { RewrapStore } from '../rotate-master.ts';
import { isServiceHolder } from '../service-holder.ts';

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
    /** The key of an account, or of a service's holder; undefined if there is none. */
    readWrappedKey: async (holder: string): Promise<WrappedKey | undefined> => {
      const { rows } = await sql<KeyRow>`
        select wrapped_key, master_key_id from ${tableOf(holder)} where id = ${holder}`.execute(db);
      return rows[0] && wrappedKeyOf(rows[0]);
    },
    ...rewrapping(db),
  };
}

const tableOf = (holder: string) => sql.table(isServiceHolder(holder) ? 'service_key' : 'account');

function rewrapping(db: Database): RewrapStore {
  return {
    listWrappedOtherwise: async (masterKeyId, afterId, limit) => {
      const { rows } = await sql<KeyRow & { readonly id: string }>`
        select id, wrapped_key, master_key_id from account where master_key_id <> ${masterKeyId} and id > ${afterId}
        union all
        select id, wrapped_key, master_key_id from service_key where master_key_id <> ${masterKeyId} and id > ${afterId}
        order by id limit ${limit}`.execute(db);
      return rows.map((row) => ({ accountId: row.id, key: wrappedKeyOf(row) }));
    },
    rewrap: (holder, from, to, actor) =>
      db.transaction().execute(async (trx) => {
        const { numAffectedRows } = await sql`
          update ${tableOf(holder)} set wrapped_key = ${to.wrapped}, master_key_id = ${to.masterKeyId}
          where id = ${holder} and wrapped_key = ${from.wrapped}`.execute(trx);
        if (!numAffectedRows) return false;
        const entry = isServiceHolder(holder)
          ? { action: 'service_key.rewrapped', accountId: null }
          : { action: 'account.key_rewrapped', accountId: holder };
        await writeAudit(trx, { actor, subject: holder, ...entry });
        return true;
      }),
  };
}

export type ServiceKeyStore = ReturnType<typeof createServiceKeyStore>;

/** The service's own keys, as src/keys/service-key.ts makes them. */
export const createServiceKeyStore = (db: Database) => ({
  has: async (holder: string): Promise<boolean> =>
    (await db.selectFrom('service_key').select('id').where('id', '=', holder).executeTakeFirst()) !==
    undefined,
  insert: async (holder: string, key: WrappedKey): Promise<void> => {
    const row = { id: holder, wrapped_key: key.wrapped, master_key_id: key.masterKeyId };
    await db
      .insertInto('service_key')
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
