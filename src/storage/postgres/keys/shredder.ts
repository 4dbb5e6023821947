// Removes the bytes of deleted keys from the disk. PostgreSQL deletes by marking: a deleted key stays in its page and
// in the WAL until something overwrites it. So the live keys move to the other side of their bucket, the side that they
// leave is truncated, and the WAL of all this is closed and removed. Measured: docs/decisions/0014-erasure-keys.md.
import { setTimeout as delay } from 'node:timers/promises';
import { createGroup } from '../../../base/group.ts';
import type { Logger } from '../../../base/log.ts';
import type { KeyShredder, Shredded } from '../../../keys/erasure-key.ts';
import { oneAtATime } from '../coordination/one-at-a-time.ts';
import type { Database } from '../database.ts';
import { type KeyBucket, type KeyFamily, listErased, markShredded } from './buckets.ts';
import { emptySide, switchSides } from './sides.ts';
import { dropOldLog } from './write-ahead-log.ts';

/**
 * Attempts on a side that is being read or is still visible to a transaction; after that it is left to the next sweep.
 */
const MAX_TRIES = 25;
const PAUSE_MS = 40;
/** Most time that an erasure waits until its keys are gone; usually a fraction of a second (bench/RESULTS.md). */
const ERASURE_WAIT_MS = 10_000;

/**
 * Creates the shredder of a process. Calls that arrive while it works share its next run. A run is followed by a pause
 * of its own length, so that the shredder works at most half of the time. Processes take turns.
 */
export function createKeyShredder(db: Database, log: Logger): KeyShredder {
  let restUntilMs = 0;
  const shredInTurn = createGroup<Which, Shredded>({
    maxBatch: Number.MAX_SAFE_INTEGER,
    work: async (calls) => {
      await delay(Math.max(0, restUntilMs - performance.now()));
      const from = performance.now();
      const outcome = await shred(db, calls.includes('all') ? 'all' : 'due', log);
      const now = performance.now();
      restUntilMs = now + (now - from);
      return calls.map(() => outcome);
    },
  });
  return {
    shred: shredInTurn,
    shredNow: async () => {
      const timer = new AbortController();
      const late = delay(ERASURE_WAIT_MS, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`keys are not off the disk after ${ERASURE_WAIT_MS} ms`);
      });
      await Promise.race([shredInTurn('due'), late]).catch((err: unknown) => {
        log.error({ err }, 'the keys of an erasure are left for the sweep to shred');
      });
      timer.abort();
    },
  };
}

type Which = Parameters<KeyShredder['shred']>[0];

const NOTHING: Shredded = { rewritten: 0, waiting: 0 };

async function shred(db: Database, which: Which, log: Logger): Promise<Shredded> {
  if ((await listErased(db, which)).length === 0) return NOTHING;
  return oneAtATime(db, 'shred keys', async () => {
    const from = performance.now();
    // Read again: another process may have been working until now.
    const due = await listErased(db, which);
    if (due.length === 0) return NOTHING;
    const emptied: KeyBucket[] = [];
    for (const bucket of due) {
      if (await rewrite(db, bucket)) emptied.push(bucket);
    }
    if (emptied.length > 0) {
      const gone = await dropOldLog(db);
      if (gone !== 'dropped') log.warn({ gone }, 'deleted keys are left in the write-ahead log for a while');
      await markShredded(db, emptied);
    }
    const waiting = due.length - emptied.length;
    if (waiting > 0) log.warn({ waiting }, 'deleted keys stay on the disk while old transactions read them');
    log.debug(
      { buckets: emptied.length, ms: Math.round(performance.now() - from) },
      'erased keys are shredded',
    );
    return { rewritten: emptied.length, waiting };
  });
}

/** Rewrites a bucket without its deleted keys; false if a transaction can still see them. */
async function rewrite(db: Database, { family, bucket }: KeyBucket): Promise<boolean> {
  // Remains of an earlier run, or of a creation that saw the sides as they were before.
  if (!(await untilEmpty(db, family, bucket))) return false;
  await switchSides(db, family, bucket);
  return untilEmpty(db, family, bucket);
}

async function untilEmpty(db: Database, family: KeyFamily, bucket: number): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await emptySide(db, family, bucket)) return true;
    await delay(PAUSE_MS);
  }
  return false;
}
