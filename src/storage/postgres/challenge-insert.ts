// Creation of a challenge: one statement, or one short transaction where an Idempotency-Key or FeatureIDs come with it.
import { sql } from 'kysely';
import type {
  IdempotencyScope,
  InsertOutcome,
  KeptAnswer,
  NewChallenge,
  PausedFeatid,
} from '../../challenge/store.ts';
import type { Database } from './database.ts';
import { reserveGuesses } from './featid-guard.ts';

/** Replays end after a day (contract §1). */
const KEPT_FOR = sql`interval '24 hours'`;

/** The answer to be kept for replay with the challenge. */
export interface Once {
  readonly scope: IdempotencyScope;
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly sealedResponse: Buffer;
}

/** Rolls the creation back: FeatureIDs that it names have no guess left. */
class Paused extends Error {
  readonly paused: readonly PausedFeatid[];

  constructor(paused: readonly PausedFeatid[]) {
    super('paused');
    this.paused = paused;
  }
}

export async function insertChallenge(
  db: Database,
  challenge: NewChallenge,
  once: Once | null,
): Promise<InsertOutcome> {
  try {
    if (once) return await insertOnce(db, challenge, once);
    if (challenge.featidIds.length === 0) return { status: 'created', ...(await insertRow(db, challenge)) };
    const inserted = await db.transaction().execute((trx) => insertWithGuesses(trx, challenge));
    return { status: 'created', ...inserted };
  } catch (error) {
    if (error instanceof Paused) return { status: 'paused', paused: error.paused };
    throw error;
  }
}

function insertOnce(db: Database, challenge: NewChallenge, once: Once): Promise<InsertOutcome> {
  return db.transaction().execute(async (trx): Promise<InsertOutcome> => {
    const { accountId, path, key } = once.scope;
    const lock = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(
      hashtextextended(${JSON.stringify([accountId, path, key])}, 0)) as taken`.execute(trx);
    if (!lock.rows[0]?.taken) return { status: 'inFlight' };
    const kept = await findKept(trx, once.scope);
    if (kept) return { status: 'known', kept };
    const inserted = await insertWithGuesses(trx, challenge);
    const answer = {
      fingerprint: once.fingerprint,
      response_status: once.status,
      sealed_response: once.sealedResponse,
      // The transaction's time, as the challenge's own created_at: the replay reckons expires_at from it.
      created_at: sql<Date>`now()`,
    };
    await trx
      .insertInto('idempotency')
      .values({ account_id: accountId, path, key, ...answer })
      // A key of more than a day ago that the sweep has not reached yet.
      .onConflict((conflict) => conflict.columns(['account_id', 'path', 'key']).doUpdateSet(answer))
      .execute();
    return { status: 'created', ...inserted };
  });
}

export async function findKept(db: Database, scope: IdempotencyScope): Promise<KeptAnswer | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'sealed_response', 'created_at'])
    .where('account_id', '=', scope.accountId)
    .where('path', '=', scope.path)
    .where('key', '=', scope.key)
    .where('created_at', '>', sql<Date>`now() - ${KEPT_FOR}`)
    .executeTakeFirst();
  if (!row) return null;
  return { fingerprint: row.fingerprint, sealedResponse: row.sealed_response, createdAt: row.created_at };
}

async function insertWithGuesses(
  trx: Database,
  challenge: NewChallenge,
): Promise<{ createdAt: Date; expiresAt: Date }> {
  const inserted = await insertRow(trx, challenge);
  if (challenge.featidIds.length === 0) return inserted;
  const paused = await reserveGuesses(trx, challenge.id, challenge.featidIds);
  if (paused.length > 0) throw new Paused(paused);
  return inserted;
}

async function insertRow(
  db: Database,
  challenge: NewChallenge,
): Promise<{ createdAt: Date; expiresAt: Date }> {
  const row = await db
    .with('audited', (with_) =>
      with_.insertInto('audit').values({
        actor: challenge.actor,
        action: 'challenge.created',
        account_id: challenge.accountId,
        subject: challenge.id,
        detail: null,
      }),
    )
    .insertInto('challenge')
    .values({
      id: challenge.id,
      account_id: challenge.accountId,
      sandbox: challenge.sandbox,
      customer_reference: challenge.customerReference,
      liveness_only: challenge.livenessOnly,
      require_consent: challenge.requireConsent,
      flow: JSON.stringify(challenge.flow),
      sealed_request: challenge.sealedRequest,
      link_hash: challenge.linkHash,
      expires_at: sql<Date>`now() + ${challenge.expiresInSeconds} * interval '1 second'`,
    })
    .returning(['created_at', 'expires_at'])
    .executeTakeFirstOrThrow();
  return { createdAt: row.created_at, expiresAt: row.expires_at };
}
