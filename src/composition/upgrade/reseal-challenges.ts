// Runs once after an upgrade from a version without erasure keys. Every challenge gets its own keys, its data sealed
// under the account's key is re-sealed, and its plaintext is sealed. It runs before anything is served, in small
// transactions, and resumes after a kill at any moment.
import { sql } from 'kysely';
import type { Logger } from '../../base/log.ts';
import type { ChallengePlace } from '../../challenge/challenge.ts';
import {
  detailsOf,
  macOfSlice,
  recordingsOf,
  sealConsent,
  sealHints,
  sealRequest,
  tagOfReference,
} from '../../challenge/seals.ts';
import type { Custody, ErasableKey } from '../../keys/account-keys.ts';
import { challengeKeyBase, newErasureKey } from '../../keys/erasure-key.ts';
import type { Database, Trx } from '../../storage/postgres/database.ts';

const BATCH = 100;

/** A challenge as stored by the older version. */
interface OldChallenge {
  readonly id: string;
  readonly account_id: string;
  readonly sealed_request: Buffer;
  readonly sealed_result: Buffer | null;
  readonly customer_reference: string | null;
  readonly flow: { exit_redirect_url: string | null; style: object };
  readonly consent: { text_version: string; text_sha256: string; language: string } | null;
}

/**
 * Re-seals the remaining challenges. Returns how many were re-sealed and how many failed. If the master key of an
 * account is not held here, its challenges stay as they are, unreadable as before, until the next start.
 */
export async function resealChallenges(
  db: Database,
  custody: Custody,
  log: Logger,
): Promise<{ resealed: number; failed: number }> {
  let after = '';
  let done = 0;
  const failed = new Map<string, unknown>();
  for (;;) {
    const ids = await listIds(db, after);
    for (const id of ids) {
      // A challenge that cannot be opened must not hold up the others.
      await db
        .transaction()
        .execute((trx) => resealOne(trx, custody, id))
        .catch((error) => failed.set(id, error));
      done += 1;
    }
    if (ids.length < BATCH) break;
    after = ids.at(-1)!;
    log.info({ done }, 'challenges of an older version are sealed under keys of their own');
  }
  for (const [challengeId, err] of failed) {
    log.error({ err, challengeId }, 'a challenge of an older version cannot be resealed');
  }
  return { resealed: done - failed.size, failed: failed.size };
}

async function listIds(db: Database, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select challenge_id as id from challenge_to_reseal where challenge_id > ${after}
    order by challenge_id limit ${BATCH}`.execute(db);
  return rows.map(({ id }) => id);
}

async function resealOne(trx: Trx, custody: Custody, id: string): Promise<void> {
  const { rows } = await sql<OldChallenge>`
    select h.id, h.account_id, h.sealed_request, h.sealed_result, r.customer_reference, r.flow, r.consent
    from challenge_to_reseal r join challenge h on h.id = r.challenge_id
    where r.challenge_id = ${id} for update`.execute(trx);
  const [old] = rows;
  // If there is no row, the challenge was erased or past its retention.
  if (old) {
    const place = {
      ...{ id, accountId: old.account_id },
      ...{ detailsKey: newErasureKey(), videoKey: newErasureKey() },
    };
    await insertKeys(trx, custody, place, old.customer_reference);
    await resealRow(trx, custody, place, old);
    await resealCaptures(trx, custody, place);
    await resealAssets(trx, custody, place);
    await resealDeliveries(trx, custody, place);
  }
  await sql`delete from capture_to_reseal where challenge_id = ${id}`.execute(trx);
  await sql`delete from challenge_to_reseal where challenge_id = ${id}`.execute(trx);
}

async function insertKeys(trx: Trx, custody: Custody, place: ChallengePlace, reference: string | null) {
  const tag = reference === null ? null : await tagOfReference(custody, place.accountId, reference);
  await sql`
    select insert_challenge_keys(${[place.id]}::text[], ${[challengeKeyBase(place.id)]}::smallint[],
      ${[place.detailsKey]}::bytea[], ${[place.videoKey]}::bytea[], ${[tag]}::bytea[])`.execute(trx);
}

async function resealRow(trx: Trx, custody: Custody, place: ChallengePlace, old: OldChallenge) {
  const { customer_reference, flow, consent } = old;
  const opened = await custody.open(place.accountId, 'challenge-request', old.sealed_request, place.id);
  const request = { ...JSON.parse(opened.toString('utf8')), customer_reference, flow };
  await trx
    .updateTable('challenge')
    .set({
      sealed_request: await sealRequest(custody, place, request),
      sealed_result:
        old.sealed_result &&
        (await moveSeal(custody, detailsOf(place), 'challenge-result', old.sealed_result, place.id)),
      sealed_consent: consent && (await sealConsent(custody, place, textOf(consent))),
    })
    .where('id', '=', place.id)
    .execute();
}

const textOf = ({ text_version, text_sha256, language }: NonNullable<OldChallenge['consent']>) => ({
  text_version,
  text_sha256,
  language,
});

async function resealCaptures(trx: Trx, custody: Custody, place: ChallengePlace): Promise<void> {
  const { rows } = await sql<{
    capture_id: string;
    sha256: Buffer;
    size_bytes: number;
    hints: Record<string, unknown> | null;
  }>`
    select capture_id, sha256, c.size_bytes, hints from capture_to_reseal join capture c on c.id = capture_id
    where c.challenge_id = ${place.id}`.execute(trx);
  for (const { capture_id: id, sha256, size_bytes, hints } of rows) {
    const mac = (await macOfSlice(custody, place, null, sha256)).toString('base64');
    await trx
      .updateTable('capture')
      .set({
        slices: JSON.stringify([{ size_bytes, to_ms: 0, announced_ms: 0, mac }]),
        sealed_hints: hints && (await sealHints(custody, place, id, hints)),
      })
      .where('id', '=', id)
      .execute();
  }
  const chunks = await trx
    .selectFrom('capture_chunk')
    .innerJoin('capture', 'capture.id', 'capture_id')
    .select(['capture_id', 'position', 'sealed_bytes'])
    .where('challenge_id', '=', place.id)
    .execute();
  for (const { capture_id, position, sealed_bytes } of chunks) {
    const where = `${capture_id}\n${position}`;
    const moved = await moveSeal(custody, recordingsOf(place), 'capture-chunk', sealed_bytes, where);
    await trx
      .updateTable('capture_chunk')
      .set({ sealed_bytes: moved })
      .where('capture_id', '=', capture_id)
      .where('position', '=', position)
      .execute();
  }
}

async function resealAssets(trx: Trx, custody: Custody, place: ChallengePlace): Promise<void> {
  const assets = await trx
    .selectFrom('asset')
    .select(['id', 'kind', 'sealed_key'])
    .where('challenge_id', '=', place.id)
    .where('deleting', '=', false)
    .execute();
  for (const { id, kind, sealed_key } of assets) {
    const holder = kind === 'logo' ? detailsOf(place) : recordingsOf(place);
    await trx
      .updateTable('asset')
      .set({ sealed_key: await moveSeal(custody, holder, 'asset-key', sealed_key, id) })
      .where('id', '=', id)
      .execute();
  }
}

async function resealDeliveries(trx: Trx, custody: Custody, place: ChallengePlace): Promise<void> {
  const deliveries = await trx
    .selectFrom('delivery')
    .select(['id', 'sealed_endpoint'])
    .where('challenge_id', '=', place.id)
    .execute();
  for (const { id, sealed_endpoint } of deliveries) {
    const moved = await moveSeal(custody, detailsOf(place), 'delivery-endpoint', sealed_endpoint, id);
    await trx.updateTable('delivery').set({ sealed_endpoint: moved }).where('id', '=', id).execute();
  }
  const attempts = await trx
    .selectFrom('delivery_attempt as t')
    .innerJoin('delivery as d', 'd.id', 't.delivery_id')
    .select(['t.id', 't.delivery_id', 't.sealed_excerpt'])
    .where('d.challenge_id', '=', place.id)
    .where('t.sealed_excerpt', 'is not', null)
    .execute();
  for (const { id, delivery_id, sealed_excerpt: sealed } of attempts) {
    const moved = await moveSeal(custody, detailsOf(place), 'delivery-excerpt', sealed!, delivery_id);
    await trx.updateTable('delivery_attempt').set({ sealed_excerpt: moved }).where('id', '=', id).execute();
  }
}

/** Moves a seal from the account's key to the challenge's; purpose and place stay the same. */
async function moveSeal(
  custody: Custody,
  holder: ErasableKey,
  purpose: string,
  sealed: Uint8Array,
  place: string,
): Promise<Buffer> {
  const opened = await custody.open(holder.accountId, purpose, sealed, place);
  return custody.seal(holder, purpose, opened, place);
}
