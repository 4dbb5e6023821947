import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBackoff } from '../../../src/base/backoff.ts';
import { expireDue } from '../../../src/challenge/closing/expire-due.ts';
import {
  createRig,
  createStarted,
  deliveriesOf,
  expireIn,
  notifications,
  type Opened,
  type Rig,
  resultOf,
  submit,
} from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

describe('expiry', () => {
  it('closes due challenges with one delivery per notification, however many sweeps run at once', async () => {
    const due: Opened[] = [];
    for (let count = 0; count < 8; count++) due.push(await createStarted(rig, { notifications }));
    const open = await createStarted(rig, { notifications });
    for (const { challengeId } of due) await expireIn(rig, challengeId, -1);
    const parts = { ...rig.parts, sweep: rig.sweep };
    const counts = await Promise.all([1, 2, 3, 4].map(() => expireDue(parts)));
    expect(counts.reduce((sum, count) => sum + count, 0) + (await expireDue(parts))).toBe(8);
    for (const opened of due) {
      const result = await resultOf(rig, opened);
      expect(result).toMatchObject({ status: 'expired', closed_reason: 'expired', overall_result: null });
      expect(result.events.at(-1)?.name).toBe('challenge_expired');
      expect((await deliveriesOf(rig, opened)).map((delivery) => delivery.event)).toEqual(['expired']);
    }
    expect((await resultOf(rig, open)).status).toBe('initiated');
  });

  it('gives every challenge of a batch its own time, in its event as in its row', async () => {
    const due = [await createStarted(rig), await createStarted(rig)];
    for (const { challengeId } of due) await expireIn(rig, challengeId, -1);
    const { db } = rig.database;
    // Without a pause, both rows could be closed within one millisecond.
    await sql`
      create function wait_a_little() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.01); return new; end $$
    `.execute(db);
    await sql`
      create trigger wait_a_little before update on challenge for each row execute function wait_a_little()
    `.execute(db);
    try {
      expect(await expireDue({ ...rig.parts, sweep: rig.sweep })).toBe(2);
    } finally {
      await sql`drop function wait_a_little() cascade`.execute(db);
    }
    const closed = await db
      .selectFrom('challenge')
      .innerJoin('challenge_event', 'challenge_event.challenge_id', 'challenge.id')
      .select(['closed_at', 'at'])
      .where('name', '=', 'challenge_expired')
      .where(
        'challenge.id',
        'in',
        due.map(({ challengeId }) => challengeId),
      )
      .execute();
    expect(new Set(closed.map(({ closed_at }) => closed_at!.getTime())).size).toBe(2);
    for (const { closed_at, at } of closed) expect(at).toEqual(closed_at);
  });

  it('skips a challenge that cannot be opened, expires the others, and reports it', async () => {
    const [broken, whole] = [await createStarted(rig, { notifications }), await createStarted(rig)];
    const garbage = { sealed_request: Buffer.from('not sealed by anybody') };
    await rig.database.db
      .updateTable('challenge')
      .set(garbage)
      .where('id', '=', broken.challengeId)
      .execute();
    for (const { challengeId } of [broken, whole]) await expireIn(rig, challengeId, -1);
    const parts = { ...rig.parts, sweep: rig.sweep };
    await expect(expireDue(parts)).rejects.toThrow('1 challenges could not be expired');
    expect((await resultOf(rig, whole)).status).toBe('expired');
    await rig.services.erase(rig.caller, broken.challengeId);
    expect(await expireDue(parts)).toBe(0);
  });

  it('reports a challenge that cannot be opened once, backs off, and expires it once it can be opened', async () => {
    const broken = await createStarted(rig, { notifications });
    const { db } = rig.database;
    const row = db.selectFrom('challenge').select('sealed_request').where('id', '=', broken.challengeId);
    const { sealed_request } = await row.executeTakeFirstOrThrow();
    const seal = (bytes: Buffer) =>
      db
        .updateTable('challenge')
        .set({ sealed_request: bytes })
        .where('id', '=', broken.challengeId)
        .execute();
    await seal(Buffer.from('not sealed by anybody'));
    await expireIn(rig, broken.challengeId, -1);
    let nowMs = 0;
    let tries = 0;
    const backoff = createBackoff(() => nowMs);
    const sweep: typeof rig.sweep = {
      ...rig.sweep,
      expireDue: (action, claim, prepare) =>
        rig.sweep.expireDue(action, claim, (due) => {
          tries += due.length;
          return prepare(due);
        }),
    };
    const run = () => expireDue({ ...rig.parts, sweep }, backoff);
    await expect(run()).rejects.toThrow(broken.challengeId);
    for (let second = 0; second < 3_600; second++) {
      nowMs += 1_000;
      if (second % 10 === 0) expect(await run()).toBe(0);
    }
    // After 1, 3, 7, 15 and 31 minutes, in addition to the first.
    expect(tries).toBe(6);
    const other = await createStarted(rig);
    await expireIn(rig, other.challengeId, -1);
    expect(await run()).toBe(1);
    await seal(sealed_request!);
    nowMs += 3_600_000;
    expect(await run()).toBe(1);
    expect((await resultOf(rig, broken)).status).toBe('expired');
  });

  it('ends even if more challenges cannot be opened than are remembered', async () => {
    const count = 450;
    const seen = new Map<string, number>();
    const sweep: Pick<typeof rig.sweep, 'expireDue'> = {
      expireDue: async (_action, { limit, except }, prepare) => {
        const all = Array.from({ length: count }, (_, at) => `ch_${at}`);
        const due = all.filter((id) => !except.includes(id)).slice(0, limit);
        for (const id of due) seen.set(id, (seen.get(id) ?? 0) + 1);
        if (Math.max(...seen.values()) > 1) throw new Error('one that failed is claimed again');
        const { accountId } = rig.caller;
        await prepare(
          due.map((id) => ({ id, accountId, sealedRequest: Buffer.from('not sealed') }) as never),
        );
        return due.length;
      },
    };
    const forgetful = { ...createBackoff(), pausing: () => [] };
    await expect(expireDue({ ...rig.parts, sweep }, forgetful)).rejects.toThrow(`${count} challenges`);
  });

  it('an expiry and a concurrent submission: exactly one of them wins', async () => {
    for (let round = 0; round < 12; round++) {
      const opened = await createStarted(rig, { notifications });
      await expireIn(rig, opened.challengeId, 0.08);
      const submitting = submit(rig, opened.link).then(
        () => 'submitted',
        () => 'refused',
      );
      const sweeping = (async () => {
        for (let turn = 0; turn < 25; turn++) await expireDue({ ...rig.parts, sweep: rig.sweep });
      })();
      const submitted = await submitting;
      await sweeping;
      await expireIn(rig, opened.challengeId, -1);
      await expireDue({ ...rig.parts, sweep: rig.sweep });
      const { status } = await resultOf(rig, opened);
      expect(status).toBe(submitted === 'submitted' ? 'processing' : 'expired');
    }
  });
});
