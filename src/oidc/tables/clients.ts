// Clients of the OpenID Provider in PostgreSQL.
import type { Selectable } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { Schema } from '../../storage/postgres/schema.ts';
import type { ClientStore, OidcClient } from '../ports.ts';
import { eraseSubjects } from './subjects.ts';

export function createClientStore(db: Database): ClientStore {
  return {
    insert: (client, actor) =>
      db.transaction().execute(async (trx) => {
        const { id, accountId, name, settings, secretHash } = client;
        const inserted = await trx
          .insertInto('oidc_client')
          .values({
            id,
            account_id: accountId,
            name,
            settings: JSON.stringify(settings),
            secret_hash: secretHash,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!inserted) return 'taken';
        await writeAudit(trx, { actor, action: 'oidc_client.created', accountId, subject: id });
        return 'inserted';
      }),
    find: async (id) => {
      const row = await db.selectFrom('oidc_client').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toClient(row) : null;
    },
    list: async (accountId) => {
      const all = db.selectFrom('oidc_client').selectAll().orderBy('name').orderBy('id');
      const rows = await (accountId === undefined ? all : all.where('account_id', '=', accountId)).execute();
      return rows.map(toClient);
    },
    change: (id, { settings, secretHash }, actor) =>
      db.transaction().execute(async (trx) => {
        const changed = await trx
          .updateTable('oidc_client')
          .set({
            ...(settings && { settings: JSON.stringify(settings) }),
            ...(secretHash && { secret_hash: secretHash }),
          })
          .where('id', '=', id)
          .returning('account_id')
          .executeTakeFirst();
        if (!changed) return false;
        const action = secretHash ? 'oidc_client.secret_replaced' : 'oidc_client.changed';
        await writeAudit(trx, { actor, action, accountId: changed.account_id, subject: id });
        return true;
      }),
    remove: (id, actor) => db.transaction().execute((trx) => removeClient(trx, id, actor)),
  };
}

async function removeClient(trx: Trx, id: string, actor: string): Promise<boolean> {
  // Locked first, so that nobody is enrolled meanwhile: a new subject's row refers to this one.
  const client = await trx
    .selectFrom('oidc_client')
    .select('account_id as accountId')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!client) return false;
  const subjects = await trx.selectFrom('oidc_subject').select('id').where('client_id', '=', id).execute();
  const subjectIds = subjects.map((subject) => subject.id);
  await eraseSubjects(trx, subjectIds, actor);
  await trx.deleteFrom('oidc_client').where('id', '=', id).execute();
  await writeAudit(trx, { actor, action: 'oidc_client.removed', accountId: client.accountId, subject: id });
  return true;
}

const toClient = (row: Selectable<Schema['oidc_client']>): OidcClient => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  settings: row.settings,
  secretHash: row.secret_hash,
  createdAt: row.created_at,
});
