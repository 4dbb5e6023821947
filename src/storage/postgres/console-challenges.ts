// The console's readings of challenges across accounts.

import { sql } from 'kysely';
import type { ConsoleStore } from '../../console/store.ts';
import type { ChallengeEventName } from '../../contract/states.ts';
import { readChallengeKeys } from './challenge-keys.ts';
import { LISTED, pageOfListed, taggedWith } from './challenge-lists.ts';
import { opened, withKeys } from './challenge-reads.ts';
import { captureOf, challengeOf, isShowable } from './challenge-rows.ts';
import type { Database } from './database.ts';

type ChallengeReadings = Pick<ConsoleStore, 'searchChallenges' | 'findChallenge' | 'listJudged'>;

export function challengeReadings(db: Database): ChallengeReadings {
  return {
    searchChallenges: async (search) => {
      let select = db
        .selectFrom('challenge')
        .innerJoin('account as a', 'a.id', 'challenge.account_id')
        .select(LISTED)
        .select('a.name as account_name')
        .orderBy('challenge.id', 'desc')
        .limit(search.limit + 1);
      if (search.text) {
        const { text, referenceTags } = search.text;
        const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
        select = select.where((eb) =>
          eb.or([
            eb('challenge.id', 'like', like),
            eb('challenge.id', 'in', sql<string>`(${taggedWith(referenceTags)})`),
            eb('a.name', 'ilike', like),
          ]),
        );
      }
      if (search.status) select = select.where('challenge.status', '=', search.status);
      if (search.result) select = select.where('challenge.overall_result', '=', search.result);
      if (search.beforeId) select = select.where('challenge.id', '<', search.beforeId);
      const { data, last } = await pageOfListed(db, await select.execute(), search.limit);
      return {
        data: data.map(({ row, listed }) => ({ ...listed, accountName: row.account_name })),
        nextBeforeId: last?.id ?? null,
      };
    },
    findChallenge: (challengeId) => findChallenge(db, challengeId),
    listJudged: async (limit) => {
      const rows = await db
        .selectFrom('challenge')
        .selectAll()
        .where('status', '=', 'completed')
        .where('sandbox', '=', false)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return withKeys(db, rows);
    },
  };
}

async function findChallenge(
  db: Database,
  challengeId: string,
): ReturnType<ChallengeReadings['findChallenge']> {
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
      .select(['name', 'at'])
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
    events: events.map((event) => ({ name: event.name as ChallengeEventName, at: event.at })),
    captures: captures.map(captureOf),
    assets: assets.flatMap((asset) =>
      opened(keys)(asset).map((shown) => ({ ...shown, deleteAfter: asset.delete_after })),
    ),
  };
}
