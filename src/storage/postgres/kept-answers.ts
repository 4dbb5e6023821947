// Answers kept for Idempotency-Keys of POSTs other than create-challenge, whose own transaction keeps its answer
// (port: KeptAnswers in src/http/services.ts, structurally: storage does not know http).
import { sql } from 'kysely';
import type { IdempotencyScope as Scope } from '../../challenge/store.ts';
import type { Database } from './database.ts';

/** A claim older than this belongs to a process that died: no request is allowed to last so long. */
const CLAIM_LASTS = sql`interval '1 minute'`;
const KEPT_FOR = sql`interval '24 hours'`;

export function createKeptAnswers(db: Database) {
  return {
    async claim(scope: Scope, fingerprint: Buffer) {
      const kept = await findKept(db, scope);
      if (kept) return kept;
      const claimed = await db
        .insertInto('idempotency_claim')
        .values({ account_id: scope.accountId, path: scope.path, key: scope.key, fingerprint })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'path', 'key'])
            .doUpdateSet({ fingerprint, claimed_at: sql<Date>`now()` })
            .where('idempotency_claim.claimed_at', '<', sql<Date>`now() - ${CLAIM_LASTS}`),
        )
        .returning('key')
        .executeTakeFirst();
      if (!claimed) return { status: 'inFlight' as const };
      // Where an answer was kept between the two, its claim was no longer in the way of ours.
      const keptSince = await findKept(db, scope);
      if (!keptSince) return { status: 'claimed' as const };
      await release(db, scope);
      return keptSince;
    },

    /** Turns the claim into an answer that replays. */
    async keep(scope: Scope, responseStatus: number, sealedResponse: Buffer): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const claim = await trx
          .deleteFrom('idempotency_claim')
          .where(matches(scope))
          .returning('fingerprint')
          .executeTakeFirst();
        if (!claim) return;
        const answer = {
          fingerprint: claim.fingerprint,
          response_status: responseStatus,
          sealed_response: sealedResponse,
          created_at: sql<Date>`now()`,
        };
        await trx
          .insertInto('idempotency')
          .values({ account_id: scope.accountId, path: scope.path, key: scope.key, ...answer })
          .onConflict((conflict) => conflict.columns(['account_id', 'path', 'key']).doUpdateSet(answer))
          .execute();
      });
    },

    /** Gives the claim up: the next request with the key is worked on. */
    release: (scope: Scope): Promise<void> => release(db, scope),
  };
}

async function findKept(db: Database, scope: Scope) {
  const kept = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'response_status', 'sealed_response'])
    .where(matches(scope))
    .where('created_at', '>', sql<Date>`now() - ${KEPT_FOR}`)
    .executeTakeFirst();
  if (!kept) return null;
  const { fingerprint, response_status: responseStatus, sealed_response: sealedResponse } = kept;
  return { status: 'kept' as const, fingerprint, responseStatus, sealedResponse };
}

async function release(db: Database, scope: Scope): Promise<void> {
  await db.deleteFrom('idempotency_claim').where(matches(scope)).execute();
}

function matches(scope: Scope) {
  return sql<boolean>`account_id = ${scope.accountId} and path = ${scope.path} and key = ${scope.key}`;
}
