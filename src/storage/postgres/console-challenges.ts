// The console's readings of challenges across accounts.

import { type RawBuilder, sql } from 'kysely';
import type { ChallengeSearch, ConsoleStore } from '../../console/store.ts';
import type { ChallengeEventName } from '../../contract/states.ts';
import { findTagged, readChallengeKeys } from './challenge-keys.ts';
import { LISTED, pageOfListed } from './challenge-lists.ts';
import { opened, withKeys } from './challenge-reads.ts';
import { captureOf, challengeOf, isShowable } from './challenge-rows.ts';
import type { Database } from './database.ts';

type ChallengeReadings = Pick<
  ConsoleStore,
  'searchChallenges' | 'findChallenge' | 'listJudgedIds' | 'readJudged'
>;

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
        const found = await whereTextIsFound(db, search.text);
        if (!found) return { data: [], nextBeforeId: null };
        select = select.where(found);
      }
      if (search.status) select = select.where('challenge.status', '=', search.status);
      // Only completed ones have a result, and those are found by an index.
      if (search.result)
        select = select
          .where('challenge.overall_result', '=', search.result)
          .where('challenge.status', '=', 'completed');
      if (search.beforeId) select = select.where('challenge.id', '<', search.beforeId);
      const { data, last } = await pageOfListed(db, await select.execute(), search.limit);
      return {
        data: data.map(({ row, listed }) => ({ ...listed, accountName: row.account_name })),
        nextBeforeId: last?.id ?? null,
      };
    },
    findChallenge: (challengeId) => findChallenge(db, challengeId),
    listJudgedIds: async (limit) => {
      const rows = await db
        .selectFrom('challenge')
        .select('id')
        .where('status', '=', 'completed')
        .where('sandbox', '=', false)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    readJudged: async (challengeIds) => {
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

/** A TypeID: prefix, `_`, and 26 characters. */
const ID_LENGTH = 29;

/**
 * Challenges whose id begins with the text, whose account's name contains it, or which have one of the references; null
 * where there can be none. Accounts and references are looked up first: whoever searches for one that nobody has does
 * not have every challenge read.
 */
async function whereTextIsFound(
  db: Database,
  { text, referenceTags }: NonNullable<ChallengeSearch['text']>,
): Promise<RawBuilder<boolean> | null> {
  const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const [accounts, references] = await Promise.all([
    db.selectFrom('account').select('id').where('name', 'ilike', like).execute(),
    findTagged(db, referenceTags),
  ]);
  const found: RawBuilder<unknown>[] = [];
  if (/^ch_[0-9a-z]{1,26}$/.test(text)) {
    found.push(sql`challenge.id between ${text} and ${text.padEnd(ID_LENGTH, 'z')}`);
  }
  if (accounts.length > 0)
    found.push(sql`challenge.account_id = any(${accounts.map(({ id }) => id)}::text[])`);
  if (references.length > 0) found.push(sql`challenge.id = any(${references}::text[])`);
  return found.length > 0 ? sql<boolean>`(${sql.join(found, sql` or `)})` : null;
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
