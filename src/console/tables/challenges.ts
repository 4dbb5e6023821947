// The console's queries for challenges across accounts.

import { sql } from 'kysely';
import type { Asset, Capture, Challenge, StoredEvent } from '../../challenge/challenge.ts';
import { opened, withKeys } from '../../challenge/tables/reads.ts';
import { captureOf, challengeOf, eventOf, isShowable } from '../../challenge/tables/rows.ts';
import type { ConsoleScope } from '../../contract/console-overview.ts';
import { findTagged, readChallengeKeys } from '../../keys/tables/challenge-keys.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { type ChallengeSearch, searchChallenges } from './challenge-search.ts';
import { ofEach } from './scopes.ts';

export function challengeReadings(db: Database) {
  return {
    searchChallenges: (search: ChallengeSearch) => searchChallenges(db, search),
    findChallenge: (challengeId: string) => findChallenge(db, challengeId),
    /** Ids of judged challenges, newest first. */
    listJudgedIds: async (limit: number, scope: ConsoleScope = 'live'): Promise<string[]> => {
      const { rows } = await sql<{ id: string }>`
        select id from ${ofEach(
          scope,
          (isKind) => sql`
          select id from challenge where status = 'completed' and ${isKind} order by id desc limit ${limit}`,
        )} judged order by id desc limit ${limit}`.execute(db);
      return rows.map(({ id }) => id);
    },
    /** Challenges whose references have one of these tags, oldest first. */
    listTagged: async (tags: readonly Buffer[]): Promise<{ id: string; accountId: string }[]> => {
      const ids = await findTagged(db, tags);
      const { rows } = await sql<{ id: string; accountId: string }>`
        select id, account_id as "accountId" from challenge where id = any(${ids}::text[]) order by id`.execute(
        db,
      );
      return rows;
    },
    /** Those of these challenges that still exist, with their sealed results, in no particular order. */
    readJudged: async (challengeIds: readonly string[]): Promise<Challenge[]> => {
      if (challengeIds.length === 0) return [];
      const rows = await db
        .selectFrom('challenge')
        .selectAll()
        .where('id', '=', sql<string>`any(${challengeIds}::text[])`)
        .execute();
      return withKeys(db, rows);
    },
  };
}

/** A challenge as the console shows it. */
export interface FoundChallenge {
  readonly challenge: Challenge;
  readonly accountName: string;
  readonly events: StoredEvent[];
  readonly captures: Capture[];
  readonly assets: (Asset & { deleteAfter: Date | null })[];
}

/** A challenge of any account, with its events, captures and assets. */
async function findChallenge(db: Database, challengeId: string): Promise<FoundChallenge | null> {
  const row = await db
    .selectFrom('challenge as h')
    .innerJoin('account as a', 'a.id', 'h.account_id')
    .selectAll('h')
    .select('a.name as account_name')
    .where('h.id', '=', challengeId)
    .executeTakeFirst();
  if (!row) return null;
  const [keys, events, captures, assets] = await Promise.all([
    readChallengeKeys(db, [challengeId]),
    db
      .selectFrom('challenge_event')
      .select(['name', 'at', 'detail'])
      .where('challenge_id', '=', challengeId)
      .orderBy('id')
      .execute(),
    db.selectFrom('capture').selectAll().where('challenge_id', '=', challengeId).orderBy('attempt').execute(),
    db
      .selectFrom('asset')
      .selectAll()
      .where('challenge_id', '=', challengeId)
      .where(isShowable)
      .orderBy('id')
      .execute(),
  ]);
  const own = keys.get(challengeId);
  if (!own) return null;
  return {
    challenge: challengeOf(row, own),
    accountName: row.account_name,
    events: events.map(eventOf),
    captures: captures.map(captureOf),
    assets: assets.flatMap((asset) =>
      opened(keys)(asset).map((shown) => ({ ...shown, deleteAfter: asset.delete_after })),
    ),
  };
}
