// The circuit breaker of a receiver, as attempts write it and claims read it, on a real database. Its clock is moved by
// moving its times.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readQueues } from '../../../src/console/tables/queue-figures.ts';
import type { AttemptRecord } from '../../../src/webhook/tables/attempts.ts';
import { createDeliveryRig, type DeliveryRig, notification } from '../delivery-rig.ts';

let rig: DeliveryRig;
beforeAll(async () => {
  rig = await createDeliveryRig();
});
afterEach(() => rig.clear());
afterAll(() => rig?.close());

const URL = 'http://127.0.0.1:9/';
const attempt: AttemptRecord = {
  at: new Date(),
  durationMs: 12,
  responseStatus: null,
  outcome: 'timeout',
  sealedExcerpt: null,
};

const waiting = async (count: number): Promise<string[]> => {
  const { deliveryIds } = await rig.closeChallenge(Array(count).fill(notification(URL)));
  return deliveryIds;
};
/** An attempt ends and the delivery stays due. */
const end = (deliveryId: string, answered: boolean, durationMs = 12) =>
  rig.store.recordAttempts([
    {
      deliveryId,
      step: 0,
      answered,
      next: { status: 'pending', delayMs: 0 },
      attempt: { ...attempt, durationMs },
    },
  ]);
const receiver = () => rig.db.selectFrom('webhook_receiver').selectAll().executeTakeFirst();
const claim = () => rig.store.claim(100);
const secondsAhead = (time: Date | null) => (time!.getTime() - Date.now()) / 1_000;

/** Moves all times of the tables into the past. */
async function backdate(seconds: number): Promise<void> {
  const interval = sql`make_interval(secs => ${seconds})`;
  await sql`update webhook_receiver set probe_at = probe_at - ${interval}, answered_at = answered_at - ${interval}`.execute(
    rig.db,
  );
  await sql`update delivery set next_attempt_at = next_attempt_at - ${interval},
    lease_until = lease_until - ${interval}`.execute(rig.db);
}

describe('a receiver that has never answered', () => {
  it('is failing from its first failure on: only a probe is claimed, after a pause', async () => {
    const [first] = await waiting(3);
    await end(first!, false);
    expect(secondsAhead((await receiver())!.probe_at)).toBeGreaterThan(3);
    expect(await claim()).toEqual([]);
    await backdate(7);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });
});

describe('a receiver that has answered', () => {
  it('is failing after three consecutive failures; an answer resets the count', async () => {
    const [id] = await waiting(1);
    await end(id!, true);
    for (const answered of [false, false, true, false, false]) await end(id!, answered);
    expect(await receiver()).toMatchObject({ failures: 2, probe_at: null });
    expect(await claim()).toHaveLength(1);
    await end(id!, false);
    expect(await receiver()).toMatchObject({ failures: 3, probe_at: expect.any(Date) });
  });

  it('is not rewritten at every answer', async () => {
    const [id] = await waiting(1);
    await end(id!, true);
    const version = () => sql<{ xmin: string }>`select xmin::text from webhook_receiver`.execute(rig.db);
    const before = (await version()).rows;
    await end(id!, true);
    expect((await version()).rows).toEqual(before);
    await backdate(2 * 3_600);
    await end(id!, true);
    expect((await version()).rows).not.toEqual(before);
  });
});

describe('a failing receiver', () => {
  it('is probed by one of many processes, with one call at a time', async () => {
    const ids = await waiting(5);
    await end(ids[0]!, false);
    await backdate(7);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim()));
    expect(claims.flat()).toHaveLength(1);
    await backdate(10);
    expect(await claim()).toEqual([]);
  });

  it('is probed again when the process that made the probe has died', async () => {
    const ids = await waiting(2);
    await end(ids[0]!, false);
    await backdate(7);
    expect(await claim()).toHaveLength(1);
    await backdate(25);
    expect(await claim()).toHaveLength(1);
  });

  it.each([
    [12, 5],
    [1_000, 5],
    [15_000, 60],
  ])('that failed after %i ms is probed again after %i s or a little later', async (durationMs, seconds) => {
    const [id] = await waiting(1);
    for (let probe = 0; probe < 5; probe += 1) {
      await end(id!, false, durationMs);
      const pause = secondsAhead((await receiver())!.probe_at);
      expect(pause).toBeGreaterThan(seconds - 2);
      expect(pause).toBeLessThanOrEqual(seconds * 1.2);
    }
  });

  it('recovers with the first answer, whichever attempt gets it, and everything is sent', async () => {
    const ids = await waiting(4);
    await end(ids[0]!, false);
    expect(await claim()).toEqual([]);
    await end(ids[3]!, true);
    expect(await receiver()).toMatchObject({ failures: 0, probe_at: null });
    expect(await claim()).toHaveLength(4);
  });

  it('gets deliveries held back for ten minutes, one at a time', async () => {
    const ids = await waiting(3);
    await end(ids[0]!, false);
    // Its next probe is far in the future.
    await rig.db
      .updateTable('webhook_receiver')
      .set({ probe_at: new Date(Date.now() + 86_400_000) })
      .execute();
    expect(await claim()).toEqual([]);
    await backdate(601);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });

  it('gets a redelivery at once', async () => {
    const [first, second] = await waiting(2);
    await end(first!, false);
    expect(await claim()).toEqual([]);
    expect(await rig.store.requeue(rig.accountId, second!)).toBe('requeued');
    expect((await claim()).map(({ id }) => id)).toEqual([second]);
  });

  it('recovers when a test event is answered', async () => {
    const [id] = await waiting(1);
    await end(id!, false);
    const { delivery } = (await rig.store.listByChallenge(rig.accountId, (await challengeOf(id!))!))[0]!;
    const { endpointHash: addressHash } = delivery;
    const other = {
      id: 'msg_test',
      challengeId: null,
      event: 'test' as const,
      endpointIndex: 0,
      addressHash,
    };
    const test = { ...delivery, ...other };
    await rig.store.insertFinished(test, { ...attempt, outcome: 'delivered' }, true, 'key_1');
    expect(await receiver()).toMatchObject({ failures: 0, probe_at: null });
    await rig.db.deleteFrom('delivery').where('id', '=', test.id).execute();
  });
});

const challengeOf = async (deliveryId: string) =>
  (
    await rig.db
      .selectFrom('delivery')
      .select('challenge_id')
      .where('id', '=', deliveryId)
      .executeTakeFirstOrThrow()
  ).challenge_id;

describe('the queue depth', () => {
  const waitingNow = async () => (await readQueues(rig.db)).find(({ queue }) => queue === 'deliver');

  it('excludes what an open breaker holds back, unless nobody probes the receiver', async () => {
    const [id] = await waiting(3);
    await backdate(60);
    expect(await waitingNow()).toMatchObject({ depth: 3 });
    await end(id!, false);
    expect(await waitingNow()).toMatchObject({ depth: 0, oldestSeconds: 0 });
    await backdate(60);
    expect(await waitingNow()).toMatchObject({ depth: 0 });
    await backdate(130);
    expect(await waitingNow()).toMatchObject({ depth: 3 });
  });
});

/** The expected state of one delivery and its receiver. Times in seconds from the beginning. */
interface Model {
  nowS: number;
  leasedUntilS: number;
  leases: number;
  failures: number;
  hasAnswered: boolean;
  /** Null: the breaker is closed. */
  probeAtS: number | null;
}

const LEASE_S = 20;
/** The longest pause after an attempt that failed at once. */
const PAUSE_S = 6;

/** The steps stay below ten minutes, because deliveries held back for that long are claimed anyway. */
const commands = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('answer' as const, 'fail' as const) },
    { weight: 3, arbitrary: fc.constant('claim' as const) },
    { weight: 2, arbitrary: fc.constantFrom(7, 25) },
  ),
  { minLength: 4, maxLength: 14 },
);
type Command = 'answer' | 'fail' | 'claim' | number;

/** Executes the command and updates the model. */
async function follow(model: Model, command: Command, id: string): Promise<void> {
  if (typeof command === 'number') {
    await backdate(command);
    model.nowS += command;
  } else if (command === 'claim') await claimWhatIsDue(model);
  else {
    const { schedule_step: step } = await stepOf(id);
    const answered = command === 'answer';
    await rig.store.recordAttempts([
      { deliveryId: id, step, answered, attempt, next: { status: 'pending', delayMs: 0 } },
    ]);
    model.failures = answered ? 0 : model.failures + 1;
    const opens = !answered && (model.probeAtS !== null || !model.hasAnswered || model.failures >= 3);
    model.probeAtS = opens ? model.nowS + PAUSE_S : null;
    model.hasAnswered ||= answered;
    Object.assign(model, { leases: 0, leasedUntilS: model.nowS });
  }
}

async function claimWhatIsDue(model: Model): Promise<void> {
  const isFree = model.nowS >= model.leasedUntilS && model.nowS >= (model.probeAtS ?? 0);
  expect(await claim()).toHaveLength(isFree ? 1 : 0);
  if (!isFree) return;
  model.leases += 1;
  model.leasedUntilS = model.nowS + LEASE_S * 2 ** Math.max(0, model.leases - 2);
}

const stepOf = (id: string) =>
  rig.db.selectFrom('delivery').select('schedule_step').where('id', '=', id).executeTakeFirstOrThrow();

it('follows its rules through any history of attempts, claims, crashes and time', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (history) => {
      await rig.clear();
      const [id] = await waiting(1);
      const start = { nowS: 0, leasedUntilS: 0, leases: 0, failures: 0, hasAnswered: false, probeAtS: null };
      const model: Model = start;
      for (const command of history) {
        await follow(model, command, id!);
        const row = await receiver();
        expect(row?.failures ?? 0).toBe(model.failures);
        expect(row?.probe_at ?? null).toEqual(model.probeAtS === null ? null : expect.any(Date));
        expect((row?.answered_at ?? null) !== null).toBe(model.hasAnswered);
      }
    }),
    { numRuns: 40 },
  );
});
