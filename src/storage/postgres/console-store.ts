// The console's readings across accounts, and its sessions.
import { sql } from 'kysely';
import type { ConsoleStore } from '../../console/store.ts';
import type { ChallengeEventName } from '../../contract/states.ts';
import { writeAudit } from './audit.ts';
import { readChallengeKeys } from './challenge-keys.ts';
import { LISTED, opened, pageOfListed, taggedWith, withKeys } from './challenge-reads.ts';
import { captureOf, challengeOf, isShowable } from './challenge-rows.ts';
import { readFigures, readHeld } from './console-figures.ts';
import type { Database } from './database.ts';

/** Deliveries of the last days that say how an endpoint does. */
const HEALTH_DAYS = 7;

export function createConsoleStore(db: Database): ConsoleStore {
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
            eb('challenge.id', 'in', (sub) => taggedWith(sub, referenceTags)),
            eb('a.name', 'ilike', like),
          ]),
        );
      }
      if (search.status) select = select.where('challenge.status', '=', search.status);
      if (search.result) select = select.where('challenge.overall_result', '=', search.result);
      if (search.beforeId) select = select.where('challenge.id', '<', search.beforeId);
      const { data, nextBeforeId } = await pageOfListed(db, await select.execute(), search.limit);
      return {
        data: data.map(({ row, listed }) => ({ ...listed, accountName: row.account_name })),
        nextBeforeId,
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
    searchDeliveries: async (search) => {
      let select = db
        .selectFrom('delivery as d')
        .innerJoin('account as a', 'a.id', 'd.account_id')
        .select(['d.id', 'd.challenge_id', 'd.account_id', 'a.name', 'd.event', 'd.status', 'd.attempts'])
        .select(['d.created_at', 'd.next_attempt_at', 'd.endpoint_hash'])
        .select((eb) =>
          eb
            .selectFrom('delivery_attempt as t')
            .select('t.outcome')
            .whereRef('t.delivery_id', '=', 'd.id')
            .orderBy('t.id', 'desc')
            .limit(1)
            .as('last_outcome'),
        )
        .orderBy('d.id', 'desc')
        .limit(search.limit);
      if (search.status) select = select.where('d.status', '=', search.status);
      if (search.beforeId) select = select.where('d.id', '<', search.beforeId);
      const rows = await select.execute();
      return rows.map(({ id, name, created_at, next_attempt_at, endpoint_hash, ...rest }) => ({
        ...rest,
        delivery_id: id,
        account_name: name,
        created_at: created_at.toISOString(),
        next_attempt_at: next_attempt_at?.toISOString() ?? null,
        endpoint: endpointName(endpoint_hash),
      }));
    },
    listEndpoints: () => listEndpoints(db),
    listAudit: async (beforeId, limit) => {
      let select = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      if (beforeId) select = select.where('id', '<', Number(beforeId));
      const rows = await select.execute();
      return rows.map(({ id, at, ...rest }) => ({ id: String(id), at: at.toISOString(), ...rest }));
    },
    readFigures: () => readFigures(db),
    readHeld: () => readHeld(db),
    changeAccount: (accountId, change, actor) =>
      db.transaction().execute(async (tx) => {
        const changed = await tx
          .updateTable('account')
          .set(change)
          .where('id', '=', accountId)
          .returning('id')
          .executeTakeFirst();
        if (!changed) return false;
        await writeAudit(tx, { actor, action: 'account.changed', accountId, subject: accountId });
        return true;
      }),
    audit: (entry) => writeAudit(db, entry),
  };
}

async function findChallenge(db: Database, challengeId: string): ReturnType<ConsoleStore['findChallenge']> {
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

async function listEndpoints(db: Database): ReturnType<ConsoleStore['listEndpoints']> {
  const { rows } = await sql<{
    endpoint_hash: Buffer;
    account_name: string;
    delivered: number;
    pending: number;
    failed: number;
    median_ms: number | null;
    last_outcome: string | null;
  }>`
    select d.endpoint_hash, a.name as account_name,
      count(*) filter (where d.status = 'delivered')::int as delivered,
      count(*) filter (where d.status = 'pending')::int as pending,
      count(*) filter (where d.status = 'failed')::int as failed,
      (select percentile_cont(0.5) within group (order by t.duration_ms)
         from delivery_attempt t join delivery s on s.id = t.delivery_id
         where s.endpoint_hash = d.endpoint_hash and s.account_id = a.id
           and t.at > now() - make_interval(days => ${HEALTH_DAYS})) as median_ms,
      (select t.outcome from delivery_attempt t join delivery s on s.id = t.delivery_id
         where s.endpoint_hash = d.endpoint_hash and s.account_id = a.id
         order by t.id desc limit 1) as last_outcome
    from delivery d join account a on a.id = d.account_id
    where d.created_at > now() - make_interval(days => ${HEALTH_DAYS})
    group by d.endpoint_hash, a.id, a.name
    order by count(*) filter (where d.status <> 'delivered') desc, a.name
    limit 200`.execute(db);
  return rows.map(({ endpoint_hash, ...rest }) => ({ endpoint: endpointName(endpoint_hash), ...rest }));
}

/** The address itself is sealed; the hash tells receivers apart. */
const endpointName = (hash: Buffer): string => hash.toString('hex').slice(0, 12);
