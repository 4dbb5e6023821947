// Pictures that wait to be read by a worker, and their answers, in PostgreSQL. They are kept for seconds. Their keys
// are stored with the keys of FeatureIDs and destroyed in the same way.
import { sql } from 'kysely';
import { insertRecord, type NewIdempotencyRecord } from '../../idempotency/tables/store.ts';
import { WITHIN_TEN_MINUTES } from '../../keys/tables/erasure-keys.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import { notifyWaiting } from '../../storage/postgres/coordination/notifier.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';
import type { NewFeatidRow } from './keys.ts';
import { eraseFeatidKeys, insertFeatid, insertFeatidKeys, readFeatidKeys } from './keys.ts';

/** A picture for a worker to read. */
export interface NewPicture {
  readonly id: string;
  readonly accountId: string;
  /** Who sent it, for the audit log. */
  readonly actor: string;
  readonly sealedPicture: Buffer;
  /** The picture's own 32 bytes. Without them nobody can open it or its answer. */
  readonly erasureKey: Buffer;
}

/** A picture that a worker has taken. */
export interface TakenPicture extends NewPicture {
  /** How many times a worker has begun to read it, including this time. */
  readonly starts: number;
}

/** How many pictures may wait. */
interface WaitingLimits {
  readonly ofAll: number;
  readonly ofAccount: number;
}

interface PictureAnswer {
  readonly sealedAnswer: Buffer;
  /** The FeatureID made from the picture. */
  readonly featid: NewFeatidRow | null;
}

/**
 * Priority of an account's first job, plus one for each of its pictures that wait already: accounts take turns.
 * Judgements of captures, which people wait for, have 0.
 */
const JOB_PRIORITY = 10;
/** The task counts its own starts; after a fault of the machine it is retried a few times. */
const MAX_JOB_RUNS = 5;

/** Rolls back a transaction. */
class KeyTaken extends Error {}

export type PictureStore = ReturnType<typeof createPictureStore>;

export function createPictureStore(db: Database) {
  return {
    enrol: (featid: NewFeatidRow, actor: string, record: NewIdempotencyRecord | null) =>
      enrol(db, featid, actor, record),
    submit: (picture: NewPicture, most: WaitingLimits) => submit(db, picture, most),
    take: (id: string) => take(db, id),
    answer: (id: string, answer: PictureAnswer) => putAnswer(db, id, answer),
    readAnswer: async (id: string): Promise<Buffer | null> =>
      (await db.selectFrom('picture').select('sealed_answer').where('id', '=', id).executeTakeFirst())
        ?.sealed_answer ?? null,
    collect: (id: string, record: NewIdempotencyRecord | null) => collect(db, id, record),
    /** Erases a picture and its FeatureID, if one was made. Nobody has received that FeatureID's string. */
    withdraw: (id: string): Promise<void> =>
      db.transaction().execute(async (trx) => void (await withdraw(trx, [id]))),
    /** Withdraws pictures whose request ended without collecting them. Returns how many. */
    withdrawOlderThan: (seconds: number, limit: number): Promise<number> =>
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

/** Queues a picture. Returns false and writes nothing while too many pictures wait, of all accounts or of this one. */
function submit(db: Database, picture: NewPicture, most: WaitingLimits): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { id, accountId, actor, sealedPicture } = picture;
    const { total, own } = await countWaiting(trx, accountId);
    if (total >= most.ofAll || own >= most.ofAccount) return false;
    const row = { id, account_id: accountId, actor, sealed_picture: sealedPicture };
    await trx.insertInto('picture').values(row).execute();
    await insertFeatidKeys(trx, [picture]);
    await sql`select graphile_worker.add_job('picture', ${JSON.stringify({ picture: id })}::json,
      priority => ${JOB_PRIORITY + own}, max_attempts => ${MAX_JOB_RUNS})`.execute(trx);
    return true;
  });
}

/** Takes a picture and counts the start; null if it has been answered or withdrawn. */
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

/** Answers a picture, with the FeatureID made from it. Does nothing if it has been withdrawn meanwhile. */
function putAnswer(db: Database, id: string, { sealedAnswer, featid }: PictureAnswer): Promise<void> {
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

/**
 * Erases a picture and its answer, which is being returned to the client; the FeatureID stays. Returns `keyTaken` and
 * does nothing if another request with the same idempotency key has a record in force, `gone` if it was withdrawn.
 */
function collect(
  db: Database,
  id: string,
  record: NewIdempotencyRecord | null,
): Promise<'collected' | 'keyTaken' | 'gone'> {
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

/**
 * Writes a FeatureID of a picture that needs no worker, and its audit row. Returns false and writes nothing if another
 * request with the same idempotency key has a record in force.
 */
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

/** Pictures that wait: all, and those of one account. */
async function countWaiting(trx: Trx, accountId: string): Promise<{ total: number; own: number }> {
  const { rows } = await sql<{ total: number; own: number }>`
    select count(*)::int as total, count(*) filter (where account_id = ${accountId})::int as own
    from picture where sealed_answer is null`.execute(trx);
  return rows[0]!;
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
