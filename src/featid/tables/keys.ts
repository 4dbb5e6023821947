// FeatureIDs and their keys: written together; the keys are read along with the rows and deleted with the templates.
import { sql } from 'kysely';
import type { FeatidSource } from '../../contract/picture.ts';
import { eraseKeys, insertErasureKeys, readErasureKeys } from '../../keys/tables/erasure-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';

/** A FeatureID row that the transaction completing a challenge, or answering a picture, inserts. */
export interface NewFeatidRow {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string | null;
  readonly pack: string;
  readonly layout: number;
  readonly source: FeatidSource;
  /** Sealed under the string's key and the account's, then masked with the erasure key. */
  readonly sealedTemplate: Buffer;
  /** The FeatureID's own 32 bytes. Without them nobody can open the template. */
  readonly erasureKey: Buffer;
  /** 16 bytes that tell the right key from a wrong one after the template has been erased. */
  readonly keyCheck: Buffer;
}

/** A key that opens nothing but takes as long as a real one, for what no longer has a key. */
export const NO_KEY = Buffer.alloc(32);

/** The keys of these FeatureIDs, by id; erased and unknown ones have none. */
export async function readFeatidKeys(
  db: Database,
  featidIds: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  const found = await readErasureKeys(db, featidIds);
  return new Map([...found].map(([id, { key }]) => [id, key]));
}

/** Writes a new FeatureID and its key. */
export async function insertFeatid(trx: Trx, featid: NewFeatidRow): Promise<void> {
  const row = {
    id: featid.id,
    account_id: featid.accountId,
    challenge_id: featid.challengeId,
    pack: featid.pack,
    layout: featid.layout,
    source: featid.source,
    sealed_template: featid.sealedTemplate,
    key_check: featid.keyCheck,
  };
  await trx.insertInto('featid').values(row).execute();
  await insertFeatidKeys(trx, [featid]);
}

/** Writes the keys of FeatureIDs whose rows exist. */
export async function insertFeatidKeys(
  trx: Trx,
  featids: readonly Pick<NewFeatidRow, 'id' | 'erasureKey'>[],
): Promise<void> {
  await insertErasureKeys(
    trx,
    featids.map(({ id, erasureKey }) => ({ id, key: erasureKey })),
  );
}

/**
 * Deletes the keys of FeatureIDs whose templates are erased, together with the subjects by which OpenID clients know
 * the people behind them, and further keys whose rows the transaction has deleted. All keys are deleted at once, because
 * two erasures that each locked keys twice could deadlock.
 */
export async function eraseFeatidKeys(
  trx: Trx,
  featidIds: readonly string[],
  withinSeconds: number,
  furtherKeys: readonly string[] = [],
): Promise<void> {
  const subjects = await deleteSubjectsOf(trx, featidIds);
  await eraseKeys(trx, [...featidIds, ...subjects, ...furtherKeys], withinSeconds);
}

/**
 * Makes OpenID clients forget everybody they know by one of these FeatureIDs; resolves with the ids of the subjects'
 * keys.
 */
async function deleteSubjectsOf(trx: Trx, featidIds: readonly string[]): Promise<string[]> {
  const subjects = await trx
    .deleteFrom('oidc_subject')
    .where('featid_id', '=', sql<string>`any(${featidIds}::text[])`)
    .returning(['id', 'account_id', 'client_id'])
    .execute();
  for (const { id, account_id, client_id } of subjects) {
    const entry = { actor: 'system', action: 'oidc_subject.erased', accountId: account_id, subject: id };
    await writeAudit(trx, { ...entry, detail: { client: client_id } });
  }
  return subjects.map(({ id }) => id);
}
