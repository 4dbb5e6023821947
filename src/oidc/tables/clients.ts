// Clients of the OpenID Provider in PostgreSQL.
import type { Selectable } from 'kysely';
import type { DeviceBinding } from '../../contract/device.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { Schema } from '../../storage/postgres/schema.ts';
import { eraseSubjects } from './subjects.ts';

/** How a client authenticates at the token endpoint and when it pushes a request. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

/** Issuer of `id_token_hint`s other than this provider: Entra, whose tenant names the person. */
export interface HintIssuer {
  readonly issuer: string;
  readonly jwks_uri: string;
}

/**
 * `entra`: an external authentication method of Microsoft Entra; its tenant's tokens name the person. `sandbox`: a client
 * of a sandbox account, whose logins check nobody.
 */
export type ClientProfile = 'standard' | 'entra' | 'sandbox';

/** An operator's settings for a client. Stored unsealed: nothing in them is secret or personal data. */
export interface ClientSettings {
  readonly redirect_uris: readonly string[];
  readonly auth_method: ClientAuthMethod;
  /** Public keys of `private_key_jwt` and of signed requests. */
  readonly jwks: { readonly keys: readonly object[] } | null;
  /**
   * `authenticated`: a person who logs in for the first time is enrolled, if only the client can have named them.
   * `never`: only people whom an operator has linked can log in.
   */
  readonly enrolment: 'never' | 'authenticated';
  /** Whether the person's device is to sign each recording, where the request does not require it anyway. */
  readonly device_binding: DeviceBinding;
  /** Refuses requests that were not pushed. */
  readonly require_par: boolean;
  /**
   * For how long a check counts for further logins of the same person at the same client. 0: every login needs a check.
   */
  readonly session_seconds: number;
  readonly profile: ClientProfile;
  readonly hint_issuer: HintIssuer | null;
  /** Shown on the privacy screen in place of the account's text; null: the account's. */
  readonly display_name: string | null;
  readonly purpose: string | null;
  /** The client's addition to the consent text, shown unchanged in every language. */
  readonly consent_text: string | null;
  readonly privacy_url: string | null;
}

export interface OidcClient {
  readonly id: string;
  readonly accountId: string;
  /** For operators; unique within its account. */
  readonly name: string;
  readonly settings: ClientSettings;
  readonly secretHash: Buffer | null;
  readonly createdAt: Date;
}

export type ClientStore = ReturnType<typeof createClientStore>;

/** Every change writes its audit row in the same transaction. */
export function createClientStore(db: Database) {
  return {
    insert: (client: Omit<OidcClient, 'createdAt'>, actor: string): Promise<'inserted' | 'taken'> =>
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
    find: async (id: string): Promise<OidcClient | null> => {
      const row = await db.selectFrom('oidc_client').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toClient(row) : null;
    },
    /** The clients of one account, or of all; sorted by name. */
    list: async (accountId?: string): Promise<OidcClient[]> => {
      const all = db.selectFrom('oidc_client').selectAll().orderBy('name').orderBy('id');
      const rows = await (accountId === undefined ? all : all.where('account_id', '=', accountId)).execute();
      return rows.map(toClient);
    },
    change: (
      id: string,
      { settings, secretHash }: { settings?: ClientSettings; secretHash?: Buffer },
      actor: string,
    ): Promise<boolean> =>
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
    remove: (id: string, actor: string) => db.transaction().execute((trx) => removeClient(trx, id, actor)),
  };
}

/** Deletes the client, everyone it knows, and the FeatureIDs that its logins enrolled. */
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
