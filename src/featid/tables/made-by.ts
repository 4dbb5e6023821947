// For operators: which FeatureIDs a person's challenges made.
import { sql } from 'kysely';
import type { Database } from '../../storage/postgres/database.ts';

/** A FeatureID and the challenge that made it. */
export interface MadeFeatid {
  readonly id: string;
  readonly accountId: string;
  readonly challengeId: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** Its template is destroyed. */
  readonly revokedAt: Date | null;
}

/** FeatureIDs that these challenges made, and their tombstones; newest first. */
export async function listMadeBy(db: Database, challengeIds: readonly string[]): Promise<MadeFeatid[]> {
  const { rows } = await sql<MadeFeatid>`
    select id, account_id as "accountId", challenge_id as "challengeId", created_at as "createdAt",
      last_used_at as "lastUsedAt", revoked_at as "revokedAt"
    from featid where challenge_id = any(${challengeIds}::text[]) order by created_at desc, id`.execute(db);
  return rows;
}
