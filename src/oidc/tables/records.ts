// What the OpenID Provider keeps between requests: the library's records, logins in progress, signing keys.
import { type Selectable, sql } from 'kysely';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { Schema } from '../../storage/postgres/schema.ts';

const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`;
const IN_FORCE = sql<boolean>`expires_at > now()`;

/** What the library's adapter stores. */
export interface OidcRecord {
  readonly model: string;
  readonly idHash: Buffer;
  readonly sealedPayload: Buffer;
  readonly uidHash: Buffer | null;
  readonly grantHash: Buffer | null;
  readonly clientId: string | null;
  readonly consumedAt: Date | null;
}

type NewRecord = Omit<OidcRecord, 'consumedAt'>;

const columnsOf = (record: NewRecord, lifeSeconds: number) => ({
  model: record.model,
  id_hash: record.idHash,
  sealed_payload: record.sealedPayload,
  uid_hash: record.uidHash,
  grant_hash: record.grantHash,
  client_id: record.clientId,
  expires_at: inSeconds(lifeSeconds),
});

export type RecordStore = ReturnType<typeof createRecordStore>;

export function createRecordStore(db: Database) {
  const inForce = db.selectFrom('oidc_record').selectAll().where(IN_FORCE);
  return {
    upsert: async (record: NewRecord, lifeSeconds: number): Promise<void> => {
      const { model, id_hash, ...values } = columnsOf(record, lifeSeconds);
      await db
        .insertInto('oidc_record')
        .values({ model, id_hash, ...values })
        .onConflict((conflict) => conflict.columns(['model', 'id_hash']).doUpdateSet(values))
        .execute();
    },
    /** False if there is a record with this id already. */
    insert: async (record: NewRecord, lifeSeconds: number): Promise<boolean> => {
      const inserted = await db
        .insertInto('oidc_record')
        .values(columnsOf(record, lifeSeconds))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    find: async (model: string, idHash: Buffer) =>
      toRecord(await inForce.where('model', '=', model).where('id_hash', '=', idHash).executeTakeFirst()),
    /** Deletes a record; of two concurrent calls one gets it. */
    take: async (model: string, idHash: Buffer) =>
      toRecord(
        await db
          .deleteFrom('oidc_record')
          .where('model', '=', model)
          .where('id_hash', '=', idHash)
          .where(IN_FORCE)
          .returningAll()
          .executeTakeFirst(),
      ),
    findByUid: async (model: string, uidHash: Buffer) =>
      toRecord(await inForce.where('model', '=', model).where('uid_hash', '=', uidHash).executeTakeFirst()),
    /** Marks a record as used; false if it was used before. */
    consume: async (model: string, idHash: Buffer): Promise<boolean> => {
      const consumed = await db
        .updateTable('oidc_record')
        .set({ consumed_at: sql<Date>`now()` })
        .where('model', '=', model)
        .where('id_hash', '=', idHash)
        .where('consumed_at', 'is', null)
        .executeTakeFirst();
      return consumed.numUpdatedRows > 0n;
    },
    destroy: async (model: string, idHash: Buffer): Promise<void> => {
      await db.deleteFrom('oidc_record').where('model', '=', model).where('id_hash', '=', idHash).execute();
    },
    revokeGrant: async (grantHash: Buffer): Promise<void> => {
      await db.deleteFrom('oidc_record').where('grant_hash', '=', grantHash).execute();
    },
    deleteExpired: async (limit: number): Promise<number> => {
      const deleted = await sql`
        delete from oidc_record where (model, id_hash) in (
          select model, id_hash from oidc_record where expires_at <= now() limit ${limit} for update skip locked)`.execute(
        db,
      );
      return Number(deleted.numAffectedRows ?? 0);
    },
  };
}

function toRecord(row: Selectable<Schema['oidc_record']> | undefined): OidcRecord | null {
  if (!row) return null;
  return {
    model: row.model,
    idHash: row.id_hash,
    sealedPayload: row.sealed_payload,
    uidHash: row.uid_hash,
    grantHash: row.grant_hash,
    clientId: row.client_id,
    consumedAt: row.consumed_at,
  };
}

/** A login in progress, as stored; `sealedLogin` is the sealed JSON of the `Login` in `../logins.ts`. */
export interface StoredLogin {
  readonly interactionHash: Buffer;
  readonly clientId: string;
  readonly sealedLogin: Buffer;
  readonly linkHash: Buffer | null;
  readonly browserHash: Buffer | null;
}

export type LoginStore = ReturnType<typeof createLoginStore>;

export function createLoginStore(db: Database) {
  return {
    insert: async (login: StoredLogin, lifeSeconds: number): Promise<void> => {
      await db
        .insertInto('oidc_login')
        .values({
          interaction_hash: login.interactionHash,
          client_id: login.clientId,
          sealed_login: login.sealedLogin,
          link_hash: login.linkHash,
          browser_hash: login.browserHash,
          expires_at: inSeconds(lifeSeconds),
        })
        .execute();
    },
    find: async (interactionHash: Buffer): Promise<StoredLogin | null> => {
      const row = await db
        .selectFrom('oidc_login')
        .selectAll()
        .where('interaction_hash', '=', interactionHash)
        .where(IN_FORCE)
        .executeTakeFirst();
      if (!row) return null;
      return {
        interactionHash: row.interaction_hash,
        clientId: row.client_id,
        sealedLogin: row.sealed_login,
        linkHash: row.link_hash,
        browserHash: row.browser_hash,
      };
    },
    /** Replaces a login's challenge, unless another request did so since it was read. */
    replace: async (login: StoredLogin, from: Buffer | null): Promise<boolean> => {
      const replaced = await db
        .updateTable('oidc_login')
        .set({
          sealed_login: login.sealedLogin,
          link_hash: login.linkHash,
          browser_hash: login.browserHash,
        })
        .where('interaction_hash', '=', login.interactionHash)
        .where(sql<boolean>`link_hash is not distinct from ${from}`)
        .executeTakeFirst();
      return replaced.numUpdatedRows > 0n;
    },
    /** The browser that may start the challenge of this link; null if it does not belong to a login. */
    findBrowserOf: async (linkHash: Buffer): Promise<Buffer | null> => {
      const row = await db
        .selectFrom('oidc_login')
        .select('browser_hash')
        .where('link_hash', '=', linkHash)
        .executeTakeFirst();
      return row?.browser_hash ?? null;
    },
    deleteExpired: async (limit: number): Promise<number> => {
      const deleted = await sql`
        delete from oidc_login where interaction_hash in (
          select interaction_hash from oidc_login where expires_at <= now() limit ${limit} for update skip locked)`.execute(
        db,
      );
      return Number(deleted.numAffectedRows ?? 0);
    },
  };
}

export interface StoredSigningKey {
  readonly id: string;
  readonly sealedKey: Buffer;
  readonly createdAt: Date;
  readonly signsFrom: Date;
}

export type SigningKeyStore = ReturnType<typeof createSigningKeyStore>;

export function createSigningKeyStore(db: Database) {
  return {
    list: () => listKeys(db),
    /** Runs `work` while no other process changes keys. */
    alone: <T>(work: (keys: SigningKeyChanges) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await sql`lock table oidc_signing_key in exclusive mode`.execute(trx);
        return work(changes(trx));
      }),
  };
}

export type SigningKeyChanges = ReturnType<typeof changes>;

function changes(trx: Trx) {
  const note = (actor: string, action: string, subject: string) =>
    writeAudit(trx, { actor, action, accountId: null, subject });
  return {
    list: () => listKeys(trx),
    insert: async (
      { id, sealedKey, signsFrom }: Omit<StoredSigningKey, 'createdAt'>,
      actor: string,
    ): Promise<void> => {
      const row = { id, sealed_key: sealedKey, signs_from: signsFrom };
      await trx.insertInto('oidc_signing_key').values(row).execute();
      await note(actor, 'oidc_key.created', id);
    },
    remove: async (ids: readonly string[], actor: string): Promise<void> => {
      for (const id of ids) {
        await trx.deleteFrom('oidc_signing_key').where('id', '=', id).execute();
        await note(actor, 'oidc_key.removed', id);
      }
    },
  };
}

/** Newest first. */
async function listKeys(db: Database): Promise<StoredSigningKey[]> {
  const rows = await db
    .selectFrom('oidc_signing_key')
    .selectAll()
    .orderBy('signs_from', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    sealedKey: row.sealed_key,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
  }));
}
