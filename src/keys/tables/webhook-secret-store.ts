// Webhook secrets in PostgreSQL, sealed, and when each is in force. Times are the database's. Every new secret writes
// its audit row in the same transaction.
import { sql } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';

export interface SealedWebhookSecret {
  readonly id: string;
  readonly sealedSecret: Buffer;
}

export type WebhookSecretStore = ReturnType<typeof createWebhookSecretStore>;

export function createWebhookSecretStore(db: Database) {
  return {
    /** Inserts a secret; those in force expire after the overlap. */
    insert: (
      secret: SealedWebhookSecret & { accountId: string },
      overlapSeconds: number,
      actor: string,
    ): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('webhook_secret')
          .set({ expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${overlapSeconds}))` })
          .where('account_id', '=', secret.accountId)
          .execute();
        await insertWebhookSecret(trx, secret, actor);
      }),
    /** Secrets in force by the database's clock, newest first. */
    listInForce: async (accountId: string): Promise<SealedWebhookSecret[]> => {
      const rows = await db
        .selectFrom('webhook_secret')
        .select(['id', 'sealed_secret'])
        .where('account_id', '=', accountId)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`now()`)]))
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => ({ id: row.id, sealedSecret: row.sealed_secret }));
    },
    /** Deletes at most `limit` secrets of any account that are no longer in force; returns how many. */
    deleteEnded: async (limit: number): Promise<number> => {
      const deleted = await db
        .deleteFrom('webhook_secret')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('webhook_secret')
            .select('id')
            .where('expires_at', '<=', sql<Date>`now()`)
            .limit(limit)
            .forUpdate()
            .skipLocked(),
        )
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

/** Part of the transactions that create a secret. */
export async function insertWebhookSecret(
  trx: Trx,
  { id, accountId, sealedSecret }: SealedWebhookSecret & { accountId: string },
  actor: string,
): Promise<void> {
  const row = { id, account_id: accountId, sealed_secret: sealedSecret, expires_at: null };
  await trx.insertInto('webhook_secret').values(row).execute();
  await writeAudit(trx, { actor, action: 'webhook_secret.created', accountId, subject: id });
}
