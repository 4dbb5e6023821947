// Passkeys in PostgreSQL: each depends on a FeatureID and is erased with it.
import { sql } from 'kysely';
import { MAX_DEVICES } from '../../contract/device.ts';
import { deleteDependents, holdFeatid, insertDependent } from '../../featid/tables/dependents.ts';
import { readFeatidKeys } from '../../featid/tables/keys.ts';
import { AT_ONCE, eraseKeys } from '../../keys/tables/erasure-keys.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';
import { hasRisen } from '../sign-count.ts';

/** What a passkey is in the audit log. */
const KIND = 'device';

export interface StoredPasskey {
  readonly id: string;
  readonly featidId: string;
  readonly accountId: string;
  /** Under its erasure key. */
  readonly sealedPasskey: Buffer;
  /** An arbitrary key if the passkey was erased meanwhile. */
  readonly erasureKey: Buffer;
}

/** A passkey to be inserted, of a FeatureID that is named then. */
export interface NewPasskey extends Omit<StoredPasskey, 'featidId'> {
  readonly signCount: number;
}

/** A signature that settles a challenge: its count must be higher than that of every one before it. */
export interface PasskeyUse {
  readonly id: string;
  readonly signCount: number;
}

export type PasskeyStore = ReturnType<typeof createPasskeyStore>;

export function createPasskeyStore(db: Database) {
  const passkeys = db
    .selectFrom('passkey as p')
    .innerJoin('featid_dependent as d', 'd.id', 'p.id')
    .select(['p.id', 'p.account_id', 'p.sealed_passkey', 'd.featid_id']);
  const withKeys = async (rows: Awaited<ReturnType<typeof passkeys.execute>>): Promise<StoredPasskey[]> => {
    if (rows.length === 0) return [];
    const keys = await readFeatidKeys(
      db,
      rows.map(({ id }) => id),
    );
    return rows.flatMap((row) => {
      const erasureKey = keys.get(row.id);
      // Erased between the two reads.
      if (!erasureKey) return [];
      const { id, featid_id: featidId, account_id: accountId, sealed_passkey: sealedPasskey } = row;
      return [{ id, featidId, accountId, sealedPasskey, erasureKey }];
    });
  };
  return {
    /** Of these FeatureIDs, in no order: their ids tell no time. */
    ofFeatids: async (accountId: string, featidIds: readonly string[]): Promise<StoredPasskey[]> =>
      withKeys(
        await passkeys
          .where('d.featid_id', '=', sql<string>`any(${featidIds}::text[])`)
          .where('p.account_id', '=', accountId)
          .execute(),
      ),
    /** Of the FeatureIDs that an open challenge compares with. */
    ofChallenge: async (challengeId: string): Promise<StoredPasskey[]> =>
      withKeys(
        await passkeys
          .innerJoin('compare_to_featid as c', 'c.featid_id', 'd.featid_id')
          .where('c.challenge_id', '=', challengeId)
          .execute(),
      ),
    /** Erases one; false if the account has none of this id. */
    erase: (accountId: string, id: string, actor: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const own = await trx
          .selectFrom('passkey')
          .select('id')
          .where('id', '=', id)
          .where(isOwnedBy(accountId))
          .executeTakeFirst();
        if (!own) return false;
        const erased = await deleteDependents(trx, [id], actor);
        await eraseKeys(
          trx,
          erased.map((row) => row.id),
          AT_ONCE,
        );
        return erased.length > 0;
      }),
  };
}

/**
 * Notes a signature. False if the passkey is gone, or its count did not rise.
 */
export async function usePasskey(trx: Trx, { id, signCount }: PasskeyUse): Promise<boolean> {
  const own = trx.selectFrom('passkey').select('sign_count').where('id', '=', id).forUpdate();
  const before = await own.executeTakeFirst();
  if (!before || !hasRisen(before.sign_count, signCount)) return false;
  await trx.updateTable('passkey').set({ sign_count: signCount }).where('id', '=', id).execute();
  return true;
}

/** Adds a passkey to a FeatureID in force; false if that is gone, or has as many as it may have. */
export async function insertPasskey(trx: Trx, featidId: string, passkey: NewPasskey): Promise<boolean> {
  const { id, accountId, sealedPasskey, signCount, erasureKey } = passkey;
  if (!(await holdFeatid(trx, accountId, featidId))) return false;
  const { count } = await trx
    .selectFrom('featid_dependent')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('featid_id', '=', featidId)
    .where('kind', '=', KIND)
    .executeTakeFirstOrThrow();
  if (count >= MAX_DEVICES) return false;
  await insertDependent(trx, { id, featidId, accountId, erasureKey, kind: KIND, auditDetail: {} });
  await trx
    .insertInto('passkey')
    .values({ id, account_id: accountId, sealed_passkey: sealedPasskey, sign_count: signCount })
    .execute();
  return true;
}
