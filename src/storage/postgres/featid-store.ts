// FeatureIDs in PostgreSQL: sealed templates, and the tombstones of those revoked.
import { sql } from 'kysely';
import type { FeatidStore } from '../../featid/ports.ts';
import { writeAudit } from './audit.ts';
import type { Database } from './database.ts';
import { forgetFailures } from './featid-guard.ts';

export function createFeatidStore(db: Database): FeatidStore {
  return {
    findMany: async (accountId, ids) => {
      const rows = await db
        .selectFrom('featid')
        .select(['id', 'pack', 'layout', 'sealed_template', 'key_check'])
        .where('id', '=', sql<string>`any(${ids})`)
        .where('account_id', '=', accountId)
        .execute();
      return rows.map(({ id, pack, layout, sealed_template, key_check }) => ({
        id,
        pack,
        layout,
        sealedTemplate: sealed_template,
        keyCheck: key_check,
      }));
    },
    noteUse: async (accountId, ids) => {
      // Skips rows that another judgement notes at this moment: waiting for each other in different orders would be a
      // deadlock, and to the hour both say the same.
      await sql`update featid set last_used_at = now() where id in (
        select id from featid
        where id = any(${ids}) and account_id = ${accountId} and revoked_at is null
          and coalesce(last_used_at < now() - interval '1 hour', true)
        for update skip locked)`.execute(db);
    },
    revoke: (accountId, id, actor) =>
      db.transaction().execute(async (tx) => {
        const revoked = await tx
          .updateTable('featid')
          .set({ sealed_template: null, revoked_at: sql<Date>`now()` })
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (revoked) await writeAudit(tx, { actor, action: 'featid.revoked', accountId, subject: id });
        return revoked !== undefined;
      }),
    unlock: (accountId, id, actor) =>
      db.transaction().execute(async (tx) => {
        await forgetFailures(tx, id);
        await writeAudit(tx, { actor, action: 'featid.unlocked', accountId, subject: id });
      }),
  };
}
