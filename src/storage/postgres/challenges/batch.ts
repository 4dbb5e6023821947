// Creations in groups: many challenges, their FeatureID reservations, audit lines and idempotency records in one commit
// (docs/decisions/0011-group-commit.md).
import { createGroup } from '../../../base/group.ts';
import type { InsertOutcome, NewChallenge } from '../../../challenge/store.ts';
import type { NewIdempotencyRecord } from '../../../idempotency/ports.ts';
import type { Database } from '../database.ts';
import { insertRecords, keyText } from '../idempotency-store.ts';
import { insertCreations } from './creation.ts';

/** Most rows per statement: about 2 ms of work, so that nobody waits long for the group before. */
const MAX_BATCH = 100;

interface Creation {
  readonly challenge: NewChallenge;
  readonly record: NewIdempotencyRecord | null;
}

/** Inserts challenges in groups; resolves after the commit. */
export function createChallengeGroup(
  db: Database,
): (challenge: NewChallenge, record: NewIdempotencyRecord | null) => Promise<InsertOutcome> {
  const group = createGroup<Creation, InsertOutcome>({
    maxBatch: MAX_BATCH,
    work: (creations) => writeGroup(db, creations),
    keyOf: ({ record }) => record && keyText(record.scope),
  });
  return (challenge, record) => group({ challenge, record });
}

async function writeGroup(
  db: Database,
  creations: readonly Creation[],
): Promise<readonly (InsertOutcome | Promise<InsertOutcome>)[]> {
  try {
    return await insertAll(db, creations);
  } catch (error) {
    if (creations.length === 1 || !isRowError(error)) throw error;
    // Nothing was written. Inserted alone, each finds out whether the fault was its own.
    return creations.map(async (creation) => (await insertAll(db, [creation]))[0]!);
  }
}

/**
 * SQLSTATE class 22 is a faulty value, 23 a constraint. Any other error concerns the whole group: writing it again
 * could repeat a commit.
 */
function isRowError(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string } | null)?.code ?? '');
}

function insertAll(db: Database, creations: readonly Creation[]): Promise<InsertOutcome[]> {
  const records = creations.flatMap(({ record }) => (record ? [record] : []));
  if (records.length === 0) return insertCreations(db, challengesOf(creations));
  return db.transaction().execute(async (trx) => {
    const written = await insertRecords(trx, records);
    const isFree = ({ record }: Creation) => !record || written.has(keyText(record.scope));
    const created = await insertCreations(trx, challengesOf(creations.filter(isFree)));
    let next = 0;
    return creations.map((creation) => (isFree(creation) ? created[next++]! : { status: 'keyTaken' }));
  });
}

const challengesOf = (creations: readonly Creation[]) => creations.map(({ challenge }) => challenge);
