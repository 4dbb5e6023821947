// Creation of a challenge that names FeatureIDs: one short transaction, as it may have to be rolled back alone. All
// others go in groups (challenge-batch.ts).
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
    const taken = await lockKeys(trx, [JSON.stringify([accountId, path, key])]);
    if (taken.size === 0) return { status: 'inFlight' };
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

/** Takes the locks of Idempotency-Keys that nobody holds, until the transaction ends; answers which. */
export async function lockKeys(trx: Database, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string; taken: boolean }>`
    select key, pg_try_advisory_xact_lock(hashtextextended(key, 0)) as taken
    from unnest(${keys}::text[]) as given (key)`.execute(trx);
  return new Set(rows.flatMap(({ key, taken }) => (taken ? [key] : [])));
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
