// The settings of sign-in by OpenID Connect: at most one row. A session refers to the row under which it was opened, and
// goes with it.
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database } from '../../storage/postgres/database.ts';
import type { OpenidInForce } from '../openid-settings.ts';

export type OpenidStore = ReturnType<typeof createOpenidStore>;

export function createOpenidStore(db: Database) {
  return {
    read: async (): Promise<OpenidInForce | null> => {
      const row = await db.selectFrom('console_openid').select(['id', 'settings']).executeTakeFirst();
      return row ? { id: row.id, ...row.settings } : null;
    },
    readSecret: async (id: string): Promise<Buffer | null> => {
      const row = await db
        .selectFrom('console_openid')
        .select('sealed_client_secret')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.sealed_client_secret ?? null;
    },
    replace: ({ id, ...settings }: OpenidInForce, sealedSecret: Buffer, actor: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('console_openid').execute();
        const row = { id, settings: JSON.stringify(settings), sealed_client_secret: sealedSecret };
        await trx.insertInto('console_openid').values(row).execute();
        const action = 'console.openid_set';
        await writeAudit(trx, { actor, action, accountId: null, subject: id, detail: settings });
      }),
    remove: (actor: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const removed = await trx.deleteFrom('console_openid').returning('id').executeTakeFirst();
        if (!removed) return false;
        const action = 'console.openid_removed';
        await writeAudit(trx, { actor, action, accountId: null, subject: removed.id });
        return true;
      }),
  };
}
