// Retention of FeatureIDs and figures about them, across all accounts, for the sweeps and the operator's report.
import { sql } from 'kysely';
import { WITHIN_TEN_MINUTES } from '../../keys/tables/erasure-keys.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { eraseFeatidKeys } from './keys.ts';

/** FeatureIDs of one recogniser pack. */
interface PackUse {
  readonly pack: string;
  readonly inForce: number;
  /** In force and never compared. */
  readonly neverUsed: number;
  /** Revoked, erased or past their retention. */
  readonly tombstones: number;
  /** Day of the latest comparison with any of them. */
  readonly lastUsedAt: Date | null;
}

export type FeatidUpkeepStore = ReturnType<typeof createFeatidUpkeepStore>;

export function createFeatidUpkeepStore(db: Database) {
  return {
    /** Turns FeatureIDs that were unused for this long into tombstones, except those that an open challenge names. */
    retire: (unusedForDays: number, limit: number): Promise<number> =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ id: string }>`
        with due as (
          select id from featid f
          where revoked_at is null
            and coalesce(last_used_at, created_at) < now() - ${unusedForDays} * interval '1 day'
            -- a use may have been at the end of its day
            and coalesce(last_used_at < now() - (${unusedForDays} + 1) * interval '1 day', true)
            and not exists (select from compare_to_featid c where c.featid_id = f.id)
          order by coalesce(last_used_at, created_at)
          limit ${limit}
          for update skip locked),
        retired as (
          update featid set sealed_template = null, revoked_at = now()
          where id in (select id from due) returning id, account_id),
        audited as (
          insert into audit (actor, action, account_id, subject)
          select 'system', 'featid.retired', account_id, id from retired)
        select id from retired`.execute(trx);
        const ids = rows.map(({ id }) => id);
        await eraseFeatidKeys(trx, ids, WITHIN_TEN_MINUTES);
        return ids.length;
      }),
    /** Deletes tombstones older than this. From then on their strings are unknown. */
    purgeTombstones: async (olderThanDays: number, limit: number): Promise<number> => {
      const purged = await sql`
        delete from featid where id in (
          select id from featid
          where revoked_at < now() - ${olderThanDays} * interval '1 day'
          order by revoked_at
          limit ${limit}
          for update skip locked)`.execute(db);
      return Number(purged.numAffectedRows ?? 0);
    },
    /** Counts by pack, sorted by its name, for one account or for all. */
    countByPack: async (accountId?: string): Promise<PackUse[]> => {
      const { rows } = await sql<{
        pack: string;
        in_force: number;
        never_used: number;
        tombstones: number;
        last_used_at: Date | null;
      }>`
        select pack, count(*) filter (where revoked_at is null) as in_force,
          count(*) filter (where revoked_at is null and last_used_at is null) as never_used,
          count(*) filter (where revoked_at is not null) as tombstones,
          max(last_used_at) as last_used_at
        from featid
        where ${accountId ?? null}::text is null or account_id = ${accountId ?? null}
        group by pack order by pack`.execute(db);
      return rows.map((row) => ({
        pack: row.pack,
        inForce: row.in_force,
        neverUsed: row.never_used,
        tombstones: row.tombstones,
        lastUsedAt: row.last_used_at,
      }));
    },
  };
}
