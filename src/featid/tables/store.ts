// FeatureIDs in PostgreSQL: sealed templates, and tombstones of revoked ones.
import { sql } from 'kysely';
import type { FeatidSource } from '../../contract/picture.ts';
import { writeAudit } from '../../storage/postgres/audit.ts';
import type { Database } from '../../storage/postgres/database.ts';
import { isOwnedBy } from '../../storage/postgres/owned-by.ts';
import { forgetFailures } from './guard.ts';
import { NO_KEY, readFeatidKeys, revokeFeatids } from './keys.ts';

/**
 * The day of a use: retention counts in days. The time of day would be that of the challenge that compared. It would
 * tell anyone who has only the database which FeatureIDs that challenge compared with, and that the one it created
 * belongs to the same person.
 */
const TODAY = sql`date_trunc('day', now(), 'UTC')`;

/** What the store has for a requested id. */
export interface StoredFeatid {
  readonly id: string;
  /** A revoked FeatureID leaves a tombstone; an unknown one, or another account's, leaves nothing. */
  readonly status: 'in_force' | 'tombstone' | 'unknown';
  readonly pack: string;
  readonly layout: number;
  readonly source: FeatidSource;
  /** If there is no template: bytes that no key opens. */
  readonly sealedTemplate: Buffer;
  /** If there is no template: an arbitrary key. */
  readonly erasureKey: Buffer;
  /** Empty for an unknown id. */
  readonly keyCheck: Buffer;
  /** Whether today's use is already noted, so that noting it again would change nothing. */
  readonly isUseRecorded: boolean;
  /** Seconds for which it is paused after failed guesses; null when it is not. */
  readonly pausedForSeconds: number | null;
}

export type FeatidStore = ReturnType<typeof createFeatidStore>;

export function createFeatidStore(db: Database) {
  return {
    /**
     * What the account has for each of these ids, in any order, in two concurrent queries. A missing template is
     * replaced by `placeholderBytes` bytes, because an unknown id must take as long as a known one.
     */
    findMany: async (
      accountId: string,
      ids: readonly string[],
      placeholderBytes: number,
    ): Promise<StoredFeatid[]> => {
      const [{ rows }, keys] = await Promise.all([
        sql<Omit<StoredFeatid, 'sealedTemplate' | 'erasureKey'> & { readonly sealed: string }>`
        select asked.id,
          case when f.id is null then 'unknown' when f.sealed_template is null then 'tombstone'
               else 'in_force' end as status,
          coalesce(f.pack, '') as pack, coalesce(f.layout, 0) as layout,
          coalesce(f.source, 'liveness_video') as source, coalesce(f.key_check, '') as "keyCheck",
          coalesce(f.last_used_at >= ${TODAY}, false) as "isUseRecorded",
          case when f.paused_until > clock_timestamp()
               then ceil(extract(epoch from f.paused_until - clock_timestamp()))::float8 end as "pausedForSeconds",
          -- The driver reads bytea as hex, which takes five times as long as base64.
          encode(coalesce(f.sealed_template, decode(repeat('01', ${placeholderBytes}), 'hex')), 'base64') as sealed
        from unnest(${ids}::text[]) as asked (id)
          left join featid f on f.id = asked.id and ${isOwnedBy(accountId, 'f.account_id')}`.execute(db),
        readFeatidKeys(db, ids),
      ]);
      return rows.map(({ sealed, ...row }) => ({
        ...row,
        sealedTemplate: Buffer.from(sealed, 'base64'),
        erasureKey: keys.get(row.id) ?? NO_KEY,
      }));
    },
    /** Notes today as the day on which these were last compared. */
    recordUse: async (accountId: string, ids: readonly string[]): Promise<void> => {
      // Skips rows that another judgement is updating: waiting in different orders would deadlock, and both write the
      // same.
      await sql`update featid set last_used_at = ${TODAY} where id in (
        select id from featid
        where id = any(${ids}) and ${isOwnedBy(accountId)} and revoked_at is null
          and coalesce(last_used_at < ${TODAY}, true)
        for update skip locked)`.execute(db);
    },
    /** Destroys the template, leaves a tombstone and writes an audit row. False if no template is in force. */
    revoke: (accountId: string, id: string, actor: string): Promise<boolean> =>
      db.transaction().execute(async (trx) => (await revokeFeatids(trx, accountId, [id], actor)) > 0),
    /** Ends a pause after failed guesses and writes an audit row. */
    unlock: (accountId: string, id: string, actor: string): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await forgetFailures(trx, id);
        await writeAudit(trx, { actor, action: 'featid.unlocked', accountId, subject: id });
      }),
  };
}
