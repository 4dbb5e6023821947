// Runs once after an upgrade from a version without erasure keys. Every template gets its own key and is masked with
// it, on top of its seal, which only the holder of the string could open. It works in small transactions and resumes
// after a kill.
import { sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import { maskTemplate } from '../../featid/template-mask.ts';
import { newErasureKey } from '../../keys/erasure-key.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { insertFeatidKeys } from '../../storage/postgres/featids/keys.ts';

const BATCH = 100;

/** Masks the remaining templates. */
export async function maskFeatids(db: Database, log: Logger): Promise<void> {
  for (let masked = 0; ; masked += BATCH) {
    const done = await maskBatch(db);
    if (done < BATCH) return;
    if (masked % (100 * BATCH) === 0)
      log.info({ masked }, 'FeatureIDs of an older version get keys of their own');
  }
}

function maskBatch(db: Database): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; sealed_template: Buffer | null }>`
      delete from featid_to_mask m using featid f
      where f.id = m.featid_id and m.featid_id in (select featid_id from featid_to_mask limit ${BATCH})
      returning f.id, f.sealed_template`.execute(trx);
    // A FeatureID revoked since it was listed has nothing to mask.
    const given = rows.flatMap(({ id, sealed_template: sealed }) => {
      const erasureKey = newErasureKey();
      return sealed ? [{ id, erasureKey, masked: maskTemplate(erasureKey, sealed) }] : [];
    });
    await insertFeatidKeys(trx, given);
    await sql`
      update featid f set sealed_template = given.masked
      from unnest(${given.map(({ id }) => id)}::text[], ${given.map(({ masked }) => masked)}::bytea[])
        as given (id, masked)
      where f.id = given.id`.execute(trx);
    return rows.length;
  });
}
