// Creation with an idempotency key: challenge and record are written in one transaction.
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChallengeStore } from '../../../src/challenge/tables/store.ts';
import type { CreateChallengeRequest } from '../../../src/contract/challenge-request.ts';
import { createIdempotency } from '../../../src/idempotency/idempotency.ts';
import { createIdempotencyStore } from '../../../src/idempotency/tables/store.ts';
import { createDatabase, type Database } from '../../../src/storage/postgres/database.ts';
import { createRig, type Rig } from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const live = (changes: Partial<CreateChallengeRequest> = {}): CreateChallengeRequest => ({
  liveness_only: true,
  ...changes,
});
const create = (body: CreateChallengeRequest, idempotencyKey: string, caller = rig.caller) =>
  rig.services.create(caller, { body, idempotencyKey });

/** The room as another process has it. */
const process = (db: Database) =>
  rig.with({
    store: createChallengeStore(db, { assetRetentionDays: 30, replayWindowDays: 7 }),
    idempotency: createIdempotency({ store: createIdempotencyStore(db), custody: rig.parts.custody }),
  });

async function challengesOf(reference: string): Promise<number> {
  const { data } = await rig.parts.store.list(rig.caller.accountId, {
    limit: 100,
    referenceTag: (
      await rig.parts.custody.fingerprint(rig.caller.accountId, 'customer-reference', Buffer.from(reference))
    ).subarray(0, 16),
  });
  return data.length;
}

async function age(key: string): Promise<void> {
  await rig.database.db
    .updateTable('idempotency_record')
    .set({ expires_at: sql<Date>`now()` })
    .where('key', '=', key)
    .execute();
}

describe('a creation with an idempotency key', () => {
  it('is replayed for the same body, whatever the order of its keys', async () => {
    const first = await create({ liveness_only: true, customer_reference: 'a' }, 'k1');
    const again = await create({ customer_reference: 'a', liveness_only: true }, 'k1');
    expect(first).toMatchObject({ status: 'created', replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
  });

  it('refuses a different body, and does not apply to other accounts', async () => {
    await create(live(), 'k2');
    expect(await create(live({ require_consent: false }), 'k2')).toEqual({ status: 'key_reused' });
    expect(await create(live(), 'k2', rig.stranger)).toMatchObject({ status: 'created', replayed: false });
  });

  it('replays a refusal; a corrected body needs another key', async () => {
    const wrong = live({ compare_to_featids: ['x'] });
    const first = await create(wrong, 'k3');
    expect(first).toMatchObject({ status: 'invalid', replayed: false });
    expect(await create(wrong, 'k3')).toEqual({ ...first, replayed: true });
    expect(await create(live(), 'k3')).toEqual({ status: 'key_reused' });
    const full = rig.with({ room: { ...rig.parts.room, refusal: async () => 'account_full' as const } });
    const request = { body: live(), idempotencyKey: 'k4' };
    const reached = { status: 'limit_reached', limit: 'storage-quota', retryAfterSeconds: 60 };
    expect(await full.create(rig.caller, request)).toEqual({ ...reached, replayed: false });
    expect(await create(live(), 'k4')).toEqual({ ...reached, replayed: true });
    await age('k4');
    const made = await create(live(), 'k4');
    expect(made).toMatchObject({ status: 'created', replayed: false });
    // What would be refused now was created then.
    expect(await full.create(rig.caller, request)).toEqual({ ...made, replayed: true });
  });

  it('is forgotten when its record expires', async () => {
    const first = await create(live(), 'k5');
    await age('k5');
    const other = await create(live({ require_consent: false }), 'k5');
    expect(other).toMatchObject({ status: 'created', replayed: false });
    expect(other).not.toEqual(first);
  });

  it('is not recorded when it failed', async () => {
    const failing = rig.with({
      room: { ...rig.parts.room, refusal: () => Promise.reject(new Error('the disk is away')) },
    });
    await expect(failing.create(rig.caller, { body: live(), idempotencyKey: 'k6' })).rejects.toThrow();
    expect(await create(live(), 'k6')).toMatchObject({ status: 'created', replayed: false });
  });

  it('creates no second challenge when it is sent again after the erasure, and its fingerprint cannot be used to guess the body', async () => {
    const { accountId, actor } = rig.caller;
    const first = await create(live({ customer_reference: 'Jane' }), 'k7');
    if (first.status !== 'created') throw new Error(first.status);
    const { challenge_id: id } = first.response;
    const { detailsKey } = (await rig.parts.store.find(accountId, id))!;
    await rig.parts.store.erase(accountId, id, actor);
    expect(await create(live({ customer_reference: 'Jane' }), 'k7')).toEqual({ ...first, replayed: true });
    const record = await rig.database.db
      .selectFrom('idempotency_record')
      .select('fingerprint')
      .where('key', '=', 'k7')
      .executeTakeFirstOrThrow();
    const guess = (holder: Parameters<typeof rig.parts.custody.fingerprint>[0]) =>
      rig.parts.custody.fingerprint(
        holder,
        'idempotency-record',
        Buffer.from('{"customer_reference":"Jane","liveness_only":true}'),
      );
    expect(await guess({ accountId, erasureKey: detailsKey })).toEqual(record.fingerprint);
    expect(await guess(accountId)).not.toEqual(record.fingerprint);
  });

  it('happens once, however many concurrent requests there are and whichever body comes first', () => {
    let run = 0;
    const processes = [1, 2].map(() => process(rig.database.db));
    const bodies = ['first', 'second', 'refused'] as const;
    return fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...bodies), { minLength: 2, maxLength: 10 }),
        async (asked) => {
          const key = `race-${run++}`;
          const bodyOf = (name: (typeof bodies)[number]) =>
            live({
              customer_reference: `${key} ${name}`,
              ...(name === 'refused' && { compare_to_featids: ['x'] }),
            });
          const outcomes = await Promise.all(
            asked.map((name, at) =>
              processes[at % 2]!.create(rig.caller, { body: bodyOf(name), idempotencyKey: key }),
            ),
          );
          const answered = outcomes.flatMap((outcome, at) =>
            outcome.status === 'in_flight' || outcome.status === 'key_reused'
              ? []
              : [{ ...outcome, replayed: false, name: asked[at]! }],
          );
          const firsts = outcomes.filter((outcome) => 'replayed' in outcome && !outcome.replayed);
          expect(firsts).toHaveLength(1);
          // All requests that were answered got the same answer, for one body.
          for (const each of answered) expect(each).toEqual(answered[0]);
          const created = await Promise.all(bodies.map((name) => challengesOf(`${key} ${name}`)));
          expect(created).toEqual(
            bodies.map((name) => (name === answered[0]!.name && name !== 'refused' ? 1 : 0)),
          );
          // A later request gets the same answer.
          const after = await create(bodyOf(answered[0]!.name), key);
          expect({ ...after, replayed: false, name: answered[0]!.name }).toEqual(answered[0]);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('is written whole or not at all when the connection is cut at any moment', async () => {
    const { db } = rig.database;
    const recordsOf = async (key: string) =>
      (await db.selectFrom('idempotency_record').select('key').where('key', '=', key).execute()).length;
    let cut = 0;
    for (let round = 0; round < 20; round++) {
      const key = `cut-${round}`;
      const request = { body: live({ customer_reference: key }), idempotencyKey: key };
      const dying = createDatabase(rig.database.connectionString, { applicationName: key });
      try {
        // Connects before the creation begins, so that the cut hits the creation's own statements.
        await sql`select 1`.execute(dying);
        let isOver = false;
        const creating = process(dying)
          .create(rig.caller, request)
          .catch(() => null)
          .finally(() => {
            isOver = true;
          });
        await delay(Math.random() * 15);
        while (!isOver) {
          await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${key}`.execute(
            db,
          );
        }
        const first = await creating;
        if (!first) cut += 1;
        expect(await challengesOf(key)).toBe(await recordsOf(key));
        const again = await rig.services.create(rig.caller, request);
        expect(again.status).toBe('created');
        if (first) expect(again).toEqual({ ...first, replayed: true });
        expect(await challengesOf(key)).toBe(1);
      } finally {
        await dying.destroy();
      }
    }
    expect(cut).toBeGreaterThan(0);
  });
});
