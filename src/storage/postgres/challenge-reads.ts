// Reading challenges: by id, by link, as a list, with events and assets.
import { sql } from 'kysely';
import type { Asset, Capture, Challenge, StoredEvent } from '../../challenge/challenge.ts';
import type { ChallengeQuery, LinkedChallenge } from '../../challenge/store.ts';
import type { ChallengeSummary } from '../../contract/result.ts';
import type { ChallengeEventName } from '../../contract/states.ts';
import { assetOf, captureOf, challengeOf, isShowable } from './challenge-rows.ts';
import type { Database } from './database.ts';

export async function findChallenge(
  db: Database,
  accountId: string,
  challengeId: string,
): Promise<Challenge | null> {
  const row = await db
    .selectFrom('challenge')
    .selectAll()
    .where('id', '=', challengeId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? challengeOf(row) : null;
}

export async function findByLink(db: Database, linkHash: Buffer): Promise<LinkedChallenge | null> {
  const row = await db
    .selectFrom('challenge as h')
    .innerJoin('account as a', 'a.id', 'h.account_id')
    .selectAll('h')
    .select(['a.display_name', 'a.privacy_url', 'a.purpose'])
    .select(sql<boolean>`h.expires_at <= clock_timestamp()`.as('expired'))
    .where('h.link_hash', '=', linkHash)
    .executeTakeFirst();
  if (!row) return null;
  const capture = await db
    .selectFrom('capture')
    .selectAll()
    .where('challenge_id', '=', row.id)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    challenge: challengeOf(row),
    account: { displayName: row.display_name, privacyUrl: row.privacy_url, purpose: row.purpose },
    capture: capture ? captureOf(capture) : null,
    expired: row.expired,
  };
}

export async function findCapture(
  db: Database,
  captureId: string,
): Promise<{ capture: Capture; challenge: Challenge } | null> {
  const capture = await db.selectFrom('capture').selectAll().where('id', '=', captureId).executeTakeFirst();
  if (!capture) return null;
  const challenge = await db
    .selectFrom('challenge')
    .selectAll()
    .where('id', '=', capture.challenge_id)
    .executeTakeFirst();
  return challenge ? { capture: captureOf(capture), challenge: challengeOf(challenge) } : null;
}

interface Details {
  readonly events: StoredEvent[];
  readonly assets: Asset[];
}

export async function readDetails(db: Database, challengeId: string): Promise<Details> {
  return (await readDetailsOf(db, [challengeId]))(challengeId);
}

export async function findWithDetails(
  db: Database,
  challengeIds: readonly string[],
): Promise<(Details & { challenge: Challenge })[]> {
  if (challengeIds.length === 0) return [];
  const [rows, detailsOf] = await Promise.all([
    db.selectFrom('challenge').selectAll().where('id', '=', sql<string>`any(${challengeIds})`).execute(),
    readDetailsOf(db, challengeIds),
  ]);
  return rows.map((row) => ({ challenge: challengeOf(row), ...detailsOf(row.id) }));
}

/** Two statements for any number of challenges. */
async function readDetailsOf(
  db: Database,
  challengeIds: readonly string[],
): Promise<(challengeId: string) => Details> {
  const wanted = sql<string>`any(${challengeIds})`;
  const [events, assets] = await Promise.all([
    db
      .selectFrom('challenge_event')
      .select(['challenge_id', 'name', 'at'])
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
    events: events
      .filter((event) => event.challenge_id === challengeId)
      .map((event) => ({ name: event.name as ChallengeEventName, at: event.at })),
    assets: assets.filter((asset) => asset.challenge_id === challengeId).map(assetOf),
  });
}

export async function findAsset(db: Database, assetId: string): Promise<Asset | null> {
  const row = await db
    .selectFrom('asset')
    .selectAll()
    .where('id', '=', assetId)
    .where(isShowable)
    .executeTakeFirst();
  return row ? assetOf(row) : null;
}

export async function listChallenges(
  db: Database,
  accountId: string,
  query: ChallengeQuery,
): Promise<ChallengeSummary[]> {
  let select = db
    .selectFrom('challenge')
    .select(['id', 'customer_reference', 'created_at', 'expires_at', 'status', 'closed_reason'])
    .select(['liveness_only', 'overall_result', 'sandbox'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(query.limit);
  if (query.status) select = select.where('status', '=', query.status);
  if (query.customerReference !== undefined) {
    select = select.where('customer_reference', '=', query.customerReference);
  }
  if (query.createdAfter) select = select.where('created_at', '>=', query.createdAfter);
  if (query.createdBefore) select = select.where('created_at', '<', query.createdBefore);
  if (query.beforeId) select = select.where('id', '<', query.beforeId);
  const rows = await select.execute();
  return rows.map(({ id, created_at, expires_at, sandbox, ...rest }) => ({
    challenge_id: id,
    ...rest,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ...(sandbox && { sandbox: true as const }),
  }));
}
