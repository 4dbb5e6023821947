// API keys in PostgreSQL: their hashes, and when each is in force. Times are the database's. Every change writes its
// audit row in the same transaction.
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { Schema } from '../../storage/postgres/schema.ts';
import type { Actor } from '../principal.ts';
import type { ApiKeyTable } from './schema.ts';

/** An API key as shown in lists. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly hint: string;
  readonly sandbox: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
}

export interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly hash: Buffer;
  readonly hint: string;
  readonly sandbox: boolean;
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

export function createApiKeyStore(db: Database) {
  return {
    insert: (key: NewApiKey, actor: Actor): Promise<void> =>
      db.transaction().execute((trx) => insertApiKey(trx, key, actor)),
    /** Newest first, including revoked and expired keys. */
    list: async (accountId: string): Promise<ApiKey[]> =>
      (
        await db
          .selectFrom('api_key')
          .selectAll()
          .where('account_id', '=', accountId)
          .orderBy('id', 'desc')
          .execute()
      ).map(toApiKey),
    findInForce: (hash: Buffer) => findInForce(db, hash),
    /** Hashes of keys in force that were used within this many days, latest first. */
    listUsedRecently: async (days: number, limit: number): Promise<Buffer[]> => {
      const rows = await db
        .selectFrom('api_key')
        .select('hash')
        .where('last_used_at', '>', sql<Date>`now() - ${days} * interval '1 day'`)
        .where(inForce)
        .orderBy('last_used_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ hash }) => hash);
    },
    /** False if the account has no such key in force. */
    revoke: (accountId: string, keyId: string, actor: Actor): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const revoked = await trx
          .updateTable('api_key')
          .set({ revoked_at: sql<Date>`now()` })
          .where('id', '=', keyId)
          .where('account_id', '=', accountId)
          .where(inForce)
          .returning('id')
          .executeTakeFirst();
        if (revoked) await writeAudit(trx, { actor, action: 'api_key.revoked', accountId, subject: keyId });
        return revoked !== undefined;
      }),
    /** Inserts `next` and lets `keyId` expire after the overlap. False if the account has no such key in force. */
    replace: (keyId: string, next: NewApiKey, overlapSeconds: number, actor: Actor): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { accountId } = next;
        const ended = await trx
          .updateTable('api_key')
          .set({ expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${overlapSeconds}))` })
          .where('id', '=', keyId)
          .where('account_id', '=', accountId)
          .where(inForce)
          .returning('id')
          .executeTakeFirst();
        if (!ended) return false;
        await writeAudit(trx, { actor, action: 'api_key.replaced', accountId, subject: keyId });
        await insertApiKey(trx, next, actor);
        return true;
      }),
  };
}

/** The key with this hash if it is in force by the database's clock; records its use, to the minute. */
async function findInForce(
  db: Database,
  hash: Buffer,
): Promise<{ id: string; accountId: string; sandbox: boolean; hash: Buffer } | undefined> {
  const row = await db
    .selectFrom('api_key')
    .select(['id', 'account_id', 'sandbox', 'hash', usedRecently.as('used_lately')])
    .where('hash', '=', hash)
    .where(inForce)
    .executeTakeFirst();
  if (!row) return undefined;
  if (!row.used_lately) await recordUse(db, row.id);
  return { id: row.id, accountId: row.account_id, sandbox: row.sandbox, hash: row.hash };
}

/** Part of the transactions that create a key. */
export async function insertApiKey(trx: Trx, key: NewApiKey, actor: string): Promise<void> {
  const { id, accountId, hash, hint, sandbox } = key;
  await trx.insertInto('api_key').values({ id, account_id: accountId, hash, hint, sandbox }).execute();
  await writeAudit(trx, { actor, action: 'api_key.created', accountId, subject: id });
}

const usedRecently = sql<boolean>`coalesce(last_used_at > now() - interval '1 minute', false)`;

/** At most once a minute per key, so that authentication is mostly one read. Skips locked rows instead of waiting. */
async function recordUse(db: Database, keyId: string): Promise<void> {
  await sql`update api_key set last_used_at = now()
    where id = (select id from api_key where id = ${keyId} for update skip locked)`.execute(db);
}

function inForce(eb: ExpressionBuilder<Schema, 'api_key'>) {
  return eb.and([
    eb('revoked_at', 'is', null),
    eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]),
  ]);
}

function toApiKey(row: Selectable<ApiKeyTable>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    hint: row.hint,
    sandbox: row.sandbox,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
