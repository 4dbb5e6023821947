// Pictures that wait for a worker, in PostgreSQL (port: PictureStore in src/featid/ports.ts). Their keys are stored
// with the keys of FeatureIDs and destroyed in the same way.
import { sql } from 'kysely';
import type { NewIdempotencyRecord } from '../../idempotency/ports.ts';
import { insertRecord } from '../../idempotency/tables/store.ts';
import { WITHIN_TEN_MINUTES } from '../../keys/tables/erasure-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import { notifyWaiting } from '../../storage/postgres/coordination/notifier.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { NewFeatidRow, NewPicture, PictureStore, TakenPicture } from '../ports.ts';
import { eraseFeatidKeys, insertFeatid, insertFeatidKeys, readFeatidKeys } from './keys.ts';

type WaitingLimits = Parameters<PictureStore['submit']>[1];

/** Priority of the job; judgements of captures, which people wait for, have 0. */
const JOB_PRIORITY = 10;
/** The task counts its own starts; after a fault of the machine it is retried a few times. */
const MAX_JOB_RUNS = 5;

/** Rolls back a transaction. */
class KeyTaken extends Error {}

export function createPictureStore(db: Database): PictureStore {
  return {
    enrol: (featid, actor, record) => enrol(db, featid, actor, record),
    submit: (picture, most) => submit(db, picture, most),
    take: (id) => take(db, id),
    answer: (id, answer) => putAnswer(db, id, answer),
    readAnswer: async (id) =>
      (await db.selectFrom('picture').select('sealed_answer').where('id', '=', id).executeTakeFirst())
        ?.sealed_answer ?? null,
    collect: (id, record) => collect(db, id, record),
    withdraw: (id) => db.transaction().execute(async (trx) => void (await withdraw(trx, [id]))),
    withdrawOlderThan: (seconds, limit) =>
      db.transaction().execute(async (trx) => {
        const stale = await trx
          .selectFrom('picture')
          .select('id')
          .where('created_at', '<', sql<Date>`now() - ${seconds} * interval '1 second'`)
          .orderBy('created_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .execute();
        const ids = stale.map(({ id }) => id);
        return withdraw(trx, ids);
      }),
  };
}

function submit(db: Database, picture: NewPicture, most: WaitingLimits): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (await isFull(trx, picture.accountId, most)) return false;
    const { id, accountId, actor, sealedPicture } = picture;
    const row = { id, account_id: accountId, actor, sealed_picture: sealedPicture };
    await trx.insertInto('picture').values(row).execute();
    await insertFeatidKeys(trx, [picture]);
    await sql`select graphile_worker.add_job('picture', ${JSON.stringify({ picture: id })}::json,
      priority => ${JOB_PRIORITY}, max_attempts => ${MAX_JOB_RUNS})`.execute(trx);
    return true;
  });
}

async function take(db: Database, id: string): Promise<TakenPicture | null> {
  const row = await db
    .updateTable('picture')
    .set((eb) => ({ starts: eb('starts', '+', 1) }))
    .where('id', '=', id)
    .where('sealed_answer', 'is', null)
    .returningAll()
    .executeTakeFirst();
  const erasureKey = row && (await readFeatidKeys(db, [id])).get(id);
  if (!row || !erasureKey) return null;
  const { account_id: accountId, sealed_picture: sealedPicture, actor, starts } = row;
  return { id, accountId, actor, sealedPicture, starts, erasureKey };
}

function putAnswer(
  db: Database,
  id: string,
  { sealedAnswer, featid }: Parameters<PictureStore['answer']>[1],
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const answered = await trx
      .updateTable('picture')
      .set({ sealed_answer: sealedAnswer, featid_id: featid?.id ?? null })
      .where('id', '=', id)
      .where('sealed_answer', 'is', null)
      .returning('actor')
      .executeTakeFirst();
    if (!answered) return;
    if (featid) await insertFeatid(trx, featid);
    await notifyWaiting(trx, id);
  });
}

function collect(
  db: Database,
  id: string,
  record: NewIdempotencyRecord | null,
): ReturnType<PictureStore['collect']> {
  return unlessKeyTaken<'gone' | 'collected' | 'keyTaken'>(
    db.transaction().execute(async (trx) => {
      const [row] = await deletePictures(trx, [id], { featidsToo: false });
      if (!row) return 'gone';
      if (record && !(await insertRecord(trx, record))) throw new KeyTaken();
      const { actor, account_id: accountId, featid_id: subject } = row;
      if (subject) await writeAudit(trx, { actor, action: 'featid.enrolled', accountId, subject });
      return 'collected';
    }),
    'keyTaken',
  );
}

function enrol(
  db: Database,
  featid: NewFeatidRow,
  actor: string,
  record: NewIdempotencyRecord | null,
): Promise<boolean> {
  return unlessKeyTaken(
    db.transaction().execute(async (trx) => {
      if (record && !(await insertRecord(trx, record))) throw new KeyTaken();
      await insertFeatid(trx, featid);
      const { accountId, id: subject } = featid;
      await writeAudit(trx, { actor, action: 'featid.enrolled', accountId, subject });
      return true;
    }),
    false,
  );
}

async function unlessKeyTaken<T>(work: Promise<T>, answer: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof KeyTaken) return answer;
    throw error;
  }
}

async function isFull(trx: Trx, accountId: string, most: WaitingLimits): Promise<boolean> {
  const { rows } = await sql<{ total: number; own: number }>`
    select count(*)::int as total, count(*) filter (where account_id = ${accountId})::int as own
    from picture where sealed_answer is null`.execute(trx);
  const { total, own } = rows[0]!;
  return total >= most.ofAll || own >= most.ofAccount;
}

/**
 * Deletes rows and keys of pictures, and with `featidsToo` the keys of their FeatureIDs. All keys are deleted at once,
 * because two erasures could otherwise deadlock.
 */
async function deletePictures(trx: Trx, ids: readonly string[], { featidsToo }: { featidsToo: boolean }) {
  const rows = await trx
    .deleteFrom('picture')
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .returning(['id', 'actor', 'account_id', 'featid_id'])
    .execute();
  const featids = featidsToo ? rows.flatMap(({ featid_id: id }) => id ?? []) : [];
  const pictures = rows.map(({ id }) => id);
  await eraseFeatidKeys(trx, featids, WITHIN_TEN_MINUTES, pictures);
  return rows;
}

/** Withdraws pictures. A FeatureID whose string was never given out leaves nothing, not even a tombstone. */
async function withdraw(trx: Trx, ids: readonly string[]): Promise<number> {
  const rows = await deletePictures(trx, ids, { featidsToo: true });
  const featids = rows.flatMap(({ featid_id: id }) => id ?? []);
  await trx.deleteFrom('featid').where('id', '=', sql<string>`any(${featids}::text[])`).execute();
  return rows.length;
}
