// Receipt keys in PostgreSQL, wrapped by a master key. Every change writes its audit row in the same transaction.
import { sql } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { WrappedKey } from '../master-key-ring.ts';
import type { RewrapStore } from '../rotate-master.ts';
import { wrappedKeyOf } from './wrapped-keys.ts';

/** A key as stored in the database. */
export interface WrappedReceiptKey {
  readonly id: string;
  readonly key: WrappedKey;
  readonly createdAt: Date;
  /** Null for the key that signs. */
  readonly retiredAt: Date | null;
}

export type NewReceiptKey = Pick<WrappedReceiptKey, 'id' | 'key'>;

export type ReceiptKeyStore = ReturnType<typeof createReceiptKeyStore>;

export function createReceiptKeyStore(db: Database) {
  return {
    /** Newest first. */
    list: async (): Promise<WrappedReceiptKey[]> => {
      const rows = await db.selectFrom('receipt_key').selectAll().orderBy('id', 'desc').execute();
      return rows.map((row) => ({
        id: row.id,
        key: wrappedKeyOf(row),
        createdAt: row.created_at,
        retiredAt: row.retired_at,
      }));
    },
    /** Inserts the first key; does nothing if one already signs. */
    insertFirst: (key: NewReceiptKey): Promise<void> =>
      db.transaction().execute((trx) => insert(trx, key, 'system')),
    /** Inserts a key that signs from now on, and retires the previous one. */
    replace: (key: NewReceiptKey, actor: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('receipt_key')
          .set({ retired_at: sql<Date>`now()` })
          .where('retired_at', 'is', null)
          .execute();
        await insert(trx, key, actor);
      }),
    /** False if there is no retired key with this id. */
    remove: (id: string, actor: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const removed = await trx
          .deleteFrom('receipt_key')
          .where('id', '=', id)
          .where('retired_at', 'is not', null)
          .returning('id')
          .executeTakeFirst();
        if (removed)
          await writeAudit(trx, { actor, action: 'receipt_key.removed', accountId: null, subject: id });
        return removed !== undefined;
      }),
    ...rewrapping(db),
  };
}

function rewrapping(db: Database): RewrapStore {
  return {
    listWrappedOtherwise: async (masterKeyId, afterId, limit) => {
      const rows = await db
        .selectFrom('receipt_key')
        .select(['id', 'wrapped_key', 'master_key_id'])
        .where('master_key_id', '!=', masterKeyId)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ accountId: row.id, key: wrappedKeyOf(row) }));
    },
    rewrap: (id, from, to, actor) =>
      db.transaction().execute(async (trx) => {
        const changed = await trx
          .updateTable('receipt_key')
          .set({ wrapped_key: to.wrapped, master_key_id: to.masterKeyId })
          .where('id', '=', id)
          .where('wrapped_key', '=', from.wrapped)
          .returning('id')
          .executeTakeFirst();
        if (changed)
          await writeAudit(trx, { actor, action: 'receipt_key.rewrapped', accountId: null, subject: id });
        return changed !== undefined;
      }),
  };
}

/** Inserts a signing key. The index allows only one: if another process was first, its key stays. */
async function insert(trx: Trx, { id, key }: NewReceiptKey, actor: string): Promise<void> {
  const inserted = await trx
    .insertInto('receipt_key')
    .values({ id, wrapped_key: key.wrapped, master_key_id: key.masterKeyId, retired_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) await writeAudit(trx, { actor, action: 'receipt_key.created', accountId: null, subject: id });
}
