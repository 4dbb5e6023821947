// The service over the real table and real custody, against a model of what a key remembers.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdempotency, type Keyed } from '../../src/idempotency/idempotency.ts';
import { createIdempotencyStore } from '../../src/idempotency/tables/store.ts';
import { createRig, type Rig } from '../challenge/challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const PATH = '/v1/webhooks/test';
const service = () =>
  createIdempotency({ store: createIdempotencyStore(rig.database.db), custody: rig.parts.custody });
let runs = 0;
const freshKey = () => `run-${runs++}`;

interface Given {
  readonly account: 'caller' | 'stranger';
  readonly body: unknown;
}
const requestOf = ({ account, body }: Given, key: string) => ({
  accountId: rig[account].accountId,
  path: PATH,
  key,
  body,
});

/** Work with a unique answer, which ends when the test lets it. */
const working = (how: 'answers' | 'fails' | 'isNotFinal', answer: string) => ({
  run: async () => {
    if (how === 'fails') throw new Error('the work failed');
    return { answer };
  },
  isFinal: () => how === 'answers',
  challengeId: null,
});

const given = fc.record({
  account: fc.constantFrom('caller', 'stranger'),
  body: fc.constantFrom(undefined, { a: 1, b: [2] }, { a: 2 }, 'text', { a: { a: null } }),
}) as fc.Arbitrary<Given>;

const step = fc.oneof(
  fc.record({ request: given, how: fc.constantFrom('answers', 'answers', 'fails', 'isNotFinal') }),
  fc.record({ ends: fc.constantFrom('caller', 'stranger') }),
) as fc.Arbitrary<{ request: Given; how: 'answers' | 'fails' | 'isNotFinal' } | { ends: Given['account'] }>;

async function endLife(accountId: string, key: string): Promise<void> {
  await rig.database.db
    .updateTable('idempotency_record')
    .set({ expires_at: new Date(0) })
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .execute();
}

describe('an idempotency key', () => {
  it('remembers its first answer for its account and body until its time is over', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const key = freshKey();
        const idempotency = service();
        const model = new Map<string, { body: string; answer: string }>();
        for (const [at, each] of steps.entries()) {
          if ('ends' in each) {
            await endLife(rig[each.ends].accountId, key);
            model.delete(each.ends);
            continue;
          }
          const { account, body } = each.request;
          const known = model.get(account);
          const answer = `answer ${at}`;
          const text = JSON.stringify(body ?? null);
          const asked = idempotency.claimed(requestOf(each.request, key), working(each.how, answer));
          const keyed = await asked.catch(() => 'failed' as const);
          if (known && known.body !== text) expect(keyed).toEqual({ status: 'key_reused' });
          else if (known) expect(keyed).toMatchObject({ status: 'replay', answer: { answer: known.answer } });
          else if (each.how === 'fails') expect(keyed).toBe('failed');
          else expect(keyed).toEqual({ status: 'first', answer: { answer } });
          if (!known && each.how === 'answers') model.set(account, { body: text, answer });
        }
      }),
      { numRuns: 25 },
    ));

  it('lets one of many concurrent requests work; the others get its answer, or must wait, or have a different body', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ body: fc.constantFrom({ a: 1 }, { a: 2 }), delayMs: fc.nat(6) }), {
          minLength: 2,
          maxLength: 8,
        }),
        async (requests) => {
          const key = freshKey();
          // Two services, as in two processes.
          const services = [service(), service()];
          const works: number[] = [];
          const asked = await Promise.all(
            requests.map(async ({ body, delayMs }, at): Promise<Keyed<number>> => {
              await new Promise((done) => setTimeout(done, delayMs));
              const run = async () => {
                works.push(at);
                await new Promise((done) => setTimeout(done, 2));
                return at;
              };
              const request = requestOf({ account: 'caller', body }, key);
              return services[at % 2]!.claimed(request, { run, isFinal: () => true, challengeId: null });
            }),
          );
          expect(works).toHaveLength(1);
          const winner = works[0]!;
          for (const [at, keyed] of asked.entries()) {
            const same = JSON.stringify(requests[at]!.body) === JSON.stringify(requests[winner]!.body);
            if (at === winner) expect(keyed).toEqual({ status: 'first', answer: winner });
            else if (keyed.status === 'replay') expect([keyed.answer, same]).toEqual([winner, true]);
            else if (keyed.status === 'key_reused') expect(same).toBe(false);
            else expect(keyed).toEqual({ status: 'in_flight' });
          }
        },
      ),
      { numRuns: 15 },
    ));

  it('is free again a minute after its process was killed, and 24 hours after its answer', async () => {
    const key = freshKey();
    const request = requestOf({ account: 'caller', body: { a: 1 } }, key);
    const idempotency = service();
    await new Promise<void>((started) => {
      // This work never ends.
      void idempotency.claimed(request, {
        ...working('answers', 'never'),
        run: () => {
          started();
          return new Promise(() => {});
        },
      });
    });
    const ask = () => idempotency.claimed(request, working('answers', 'second'));
    expect(await ask()).toEqual({ status: 'in_flight' });
    const lifeSeconds = async () => {
      const record = rig.database.db.selectFrom('idempotency_record').where('key', '=', key);
      const { created_at, expires_at } = await record
        .select(['created_at', 'expires_at'])
        .executeTakeFirstOrThrow();
      return (expires_at.getTime() - created_at.getTime()) / 1000;
    };
    expect(await lifeSeconds()).toBe(60);
    await endLife(request.accountId, key);
    expect(await ask()).toMatchObject({ status: 'first' });
    expect(await lifeSeconds()).toBeCloseTo(24 * 3600, 0);
    expect(await ask()).toMatchObject({ status: 'replay', answer: { answer: 'second' } });
    await endLife(request.accountId, key);
    expect(await idempotency.deleteExpired()).toBeGreaterThan(0);
    expect(await ask()).toMatchObject({ status: 'first' });
  });

  it('stores nothing in clear, and opens for no other account, path or key', async () => {
    const key = freshKey();
    const request = requestOf({ account: 'caller', body: { name: 'Jane Doe' } }, key);
    const { db } = rig.database;
    await service().claimed(request, working('answers', 'Jane Doe may pass'));
    const row = await db
      .selectFrom('idempotency_record')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    const text = Object.values(row).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
    );
    expect(text.join('\n')).not.toContain('Jane');
    const moved = [
      { account_id: rig.stranger.accountId },
      { path: '/v1/featids/revoke' },
      { key: `${key}-b` },
    ];
    for (const change of moved) {
      await db
        .insertInto('idempotency_record')
        .values({ ...row, ...change })
        .execute();
      const { account_id: accountId, path, key: movedKey } = { ...row, ...change };
      const asked = service().claimed(
        { ...request, accountId, path, key: movedKey },
        working('answers', 'anything'),
      );
      await expect(asked).rejects.toMatchObject({ code: 'SEAL_BROKEN' });
    }
  });
});
