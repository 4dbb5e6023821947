// Reading challenges: by id, by link, with events and assets. Lists: lists.ts.
import { type Selectable, sql } from 'kysely';
import type { ChallengeKeys } from '../../keys/erasure-key.ts';
import { readChallengeKeys } from '../../keys/tables/challenge-keys.ts';
import { clockNow } from '../../storage/postgres/clock.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';
import type { AccountFace, Asset, Capture, Challenge, StoredEvent } from '../challenge.ts';
import { assetOf, captureOf, challengeOf, eventOf, isShowable } from './rows.ts';
import type { AssetTable, ChallengeTable } from './schema.ts';

export async function findChallenge(
  db: Database,
  accountId: string,
  challengeId: string,
): Promise<Challenge | null> {
  const row = await db
    .selectFrom('challenge')
    .selectAll()
    .where('id', '=', challengeId)
    .where(isOwnedBy(accountId))
    .executeTakeFirst();
  return row ? ((await withKeys(db, [row]))[0] ?? null) : null;
}

/** The challenges of these rows, in order, without those being erased. */
export async function withKeys(
  db: Database,
  rows: readonly Selectable<ChallengeTable>[],
): Promise<Challenge[]> {
  const keys = await readChallengeKeys(
    db,
    rows.map(({ id }) => id),
  );
  return rows.flatMap(keyed(keys));
}

/** Reads challenges; those whose keys are destroyed are left out. */
const keyed =
  (keys: ReadonlyMap<string, ChallengeKeys>) =>
  (row: Selectable<ChallengeTable>): Challenge[] => {
    const own = keys.get(row.id);
    return own ? [challengeOf(row, own)] : [];
  };

/** A challenge as found by its link. */
export interface LinkedChallenge {
  readonly challenge: Challenge;
  readonly account: AccountFace;
  /** The latest capture. */
  readonly capture: Capture | null;
  /** Whether `expires_at` has passed, by the database's clock. */
  readonly expired: boolean;
  /** When this was read, by the database's clock, which also set its times; this machine's clock may differ. */
  readonly readAt: Date;
}

export async function findByLink(db: Database, linkHash: Buffer): Promise<LinkedChallenge | null> {
  const row = await db
    .selectFrom('challenge as h')
    .innerJoin('account as a', 'a.id', 'h.account_id')
    .selectAll('h')
    .select(['a.display_name', 'a.privacy_url', 'a.purpose'])
    .select(sql<boolean>`h.expires_at <= clock_timestamp()`.as('expired'))
    .select(clockNow.as('read_at'))
    .where('h.link_hash', '=', linkHash)
    .executeTakeFirst();
  if (!row) return null;
  const [[challenge], capture] = await Promise.all([
    withKeys(db, [row]),
    db
      .selectFrom('capture')
      .selectAll()
      .where('challenge_id', '=', row.id)
      .orderBy('attempt', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  if (!challenge) return null;
  return {
    challenge,
    account: { displayName: row.display_name, privacyUrl: row.privacy_url, purpose: row.purpose },
    capture: capture ? captureOf(capture) : null,
    expired: row.expired,
    readAt: row.read_at,
  };
}

/** A capture and its challenge at the time of reading. */
export interface ReadCapture {
  readonly capture: Capture;
  readonly challenge: Challenge;
  /** By the database's clock. */
  readonly readAt: Date;
}

export async function findCapture(db: Database, captureId: string): Promise<ReadCapture | null> {
  const capture = await db.selectFrom('capture').selectAll().where('id', '=', captureId).executeTakeFirst();
  if (!capture) return null;
  const row = await db
    .selectFrom('challenge')
    .selectAll()
    .select(clockNow.as('read_at'))
    .where('id', '=', capture.challenge_id)
    .executeTakeFirst();
  const [challenge] = row ? await withKeys(db, [row]) : [];
  return row && challenge ? { capture: captureOf(capture), challenge, readAt: row.read_at } : null;
}

export interface Details {
  /** In order. */
  readonly events: StoredEvent[];
  /** Those that can still be read. */
  readonly assets: Asset[];
}

export async function readDetails(db: Database, challengeId: string): Promise<Details> {
  return (await readDetailsOf(db, [challengeId], readChallengeKeys(db, [challengeId])))(challengeId);
}

/** Challenges of any account with their details, in no particular order; unknown ids are left out. */
export async function findWithDetails(
  db: Database,
  challengeIds: readonly string[],
): Promise<(Details & { challenge: Challenge })[]> {
  if (challengeIds.length === 0) return [];
  const reading = readChallengeKeys(db, challengeIds);
  const [rows, keys, detailsOf] = await Promise.all([
    db.selectFrom('challenge').selectAll().where('id', '=', sql<string>`any(${challengeIds})`).execute(),
    reading,
    readDetailsOf(db, challengeIds, reading),
  ]);
  return rows.flatMap(keyed(keys)).map((challenge) => ({ challenge, ...detailsOf(challenge.id) }));
}

/** Two statements for any number of challenges. */
async function readDetailsOf(
  db: Database,
  challengeIds: readonly string[],
  reading: ReturnType<typeof readChallengeKeys>,
): Promise<(challengeId: string) => Details> {
  const wanted = sql<string>`any(${challengeIds})`;
  const [keys, events, assets] = await Promise.all([
    reading,
    db
      .selectFrom('challenge_event')
      .select(['challenge_id', 'name', 'at', 'detail'])
      .where('challenge_id', '=', wanted)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('asset')
      .selectAll()
      .where('challenge_id', '=', wanted)
      .where(isShowable)
      .orderBy('id')
      .execute(),
  ]);
  return (challengeId) => ({
    events: events.filter((event) => event.challenge_id === challengeId).map(eventOf),
    assets: assets.filter((asset) => asset.challenge_id === challengeId).flatMap(opened(keys)),
  });
}

export async function findAsset(db: Database, assetId: string): Promise<Asset | null> {
  const row = await db
    .selectFrom('asset')
    .selectAll()
    .where('id', '=', assetId)
    .where(isShowable)
    .executeTakeFirst();
  if (!row?.challenge_id) return null;
  return opened(await readChallengeKeys(db, [row.challenge_id]))(row)[0] ?? null;
}

/** Reads assets; those whose keys are destroyed are left out. */
export function opened(keys: ReadonlyMap<string, ChallengeKeys>): (row: Selectable<AssetTable>) => Asset[] {
  return (row) => {
    const own = keys.get(row.challenge_id ?? '');
    const asset = own && assetOf(row, own);
    return asset ? [asset] : [];
  };
}
