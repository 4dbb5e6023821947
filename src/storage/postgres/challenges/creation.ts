// The statement that writes new challenges: their rows, keys, FeatureID reservations and audit lines.
import { sql } from 'kysely';
import type { InsertOutcome, NewChallenge } from '../../../challenge/store.ts';
import { challengeKeyBase } from '../../../keys/erasure-key.ts';
import type { Database } from '../database.ts';

/** Times are the transaction's, because a replay computes `expires_at` from the time of its idempotency record. */
export async function insertCreations(
  db: Database,
  challenges: readonly NewChallenge[],
): Promise<(InsertOutcome & { status: 'created' })[]> {
  if (challenges.length === 0) return [];
  const named = challenges.flatMap(({ id, featidIds }) =>
    featidIds.map((featidId) => ({ challengeId: id, featidId })),
  );
  const { rows } = await sql<{ created_at: Date; id: string; expires_at: Date }>`
    with audited as (
      insert into audit (actor, action, account_id, subject)
      select actor, 'challenge.created', account_id, id from ${columns(AUDITED, challenges)}
    ), inserted as (
      insert into challenge (id, account_id, sandbox, public_request, sealed_request, link_hash, expires_at)
      select id, account_id, sandbox, public_request, sealed_request, link_hash,
        now() + seconds * interval '1 second'
      from ${columns(CREATED, challenges)}
      returning id, created_at, expires_at
    )${named.length > 0 ? sql`, ${namedFeatids(named)}` : sql``}
    select id, created_at, expires_at from inserted
    cross join insert_challenge_keys(${arrays(KEYED, challenges)})`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return challenges.map(({ id }) => {
    const { created_at: createdAt, expires_at: expiresAt } = byId.get(id)!;
    return { status: 'created', createdAt, expiresAt };
  });
}

/**
 * Reserves the FeatureIDs that challenges compare with: retention leaves them alone until the challenge closes. One
 * that retention has deleted meanwhile is skipped.
 */
function namedFeatids(named: readonly Named[]) {
  return sql`named as (
    insert into featid_reservation (featid_id, challenge_id)
    select given.featid_id, given.challenge_id from ${columns(NAMED, named)} join featid f on f.id = given.featid_id
  )`;
}

/** A FeatureID that a challenge compares with. */
interface Named {
  readonly challengeId: string;
  readonly featidId: string;
}

/** A column of `unnest`: its name, PostgreSQL type, and how to read its value. */
type Column<T> = readonly [name: string, type: string, read: (row: T) => unknown];

const AUDITED: readonly Column<NewChallenge>[] = [
  ['actor', 'text', (row) => row.actor],
  ['account_id', 'text', (row) => row.accountId],
  ['id', 'text', (row) => row.id],
];
const KEYED: readonly Column<NewChallenge>[] = [
  ['id', 'text', (row) => row.id],
  ['base', 'smallint', (row) => challengeKeyBase(row.id)],
  ['details_key', 'bytea', (row) => row.detailsKey],
  ['video_key', 'bytea', (row) => row.videoKey],
  ['reference_tag', 'bytea', (row) => row.referenceTag],
];
const CREATED: readonly Column<NewChallenge>[] = [
  ['id', 'text', (row) => row.id],
  ['account_id', 'text', (row) => row.accountId],
  ['sandbox', 'boolean', (row) => row.sandbox],
  ['public_request', 'jsonb', (row) => JSON.stringify(row.request)],
  ['sealed_request', 'bytea', (row) => row.sealedRequest],
  ['link_hash', 'bytea', (row) => row.linkHash],
  ['seconds', 'integer', (row) => row.expiresInSeconds],
];
const NAMED: readonly Column<Named>[] = [
  ['featid_id', 'text', (row) => row.featidId],
  ['challenge_id', 'text', (row) => row.challengeId],
];

/** Rows as arrays, one parameter per column, so that the statement's text is the same for any number of rows. */
const arrays = <T>(shape: readonly Column<T>[], rows: readonly T[]) =>
  sql.join(shape.map(([, type, read]) => sql`${rows.map(read)}::${sql.raw(type)}[]`));

function columns<T>(shape: readonly Column<T>[], rows: readonly T[]) {
  return sql`unnest(${arrays(shape, rows)}) as given (${sql.raw(shape.map(([name]) => name).join(', '))})`;
}
