import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cosineSimilarity } from '../../src/evaluation/recognition/vector.ts';
import { packCapture, readCapture } from '../../src/featid/renewal.ts';
import type { FaceTemplate } from '../../src/featid/template.ts';
import { featidKeyBase } from '../../src/keys/erasure-key.ts';
import { createFeatidUpkeepStore } from '../../src/storage/postgres/featids/upkeep.ts';
import { unitVector } from './face-templates.ts';
import { createGuessingRig, type GuessingRig, idOf, type Outcome, type Waiting } from './guessing-rig.ts';

let rig: GuessingRig;
beforeAll(async () => {
  rig = await createGuessingRig();
});
afterAll(() => rig.close());
beforeEach(() => setRenewal(true));

const setRenewal = (isOn: boolean) =>
  rig.foundation.accounts.setRenewal(rig.caller.accountId, isOn, 'operator');
const capture = (seed = 1) => ({ packId: rig.pack, embedding: unitVector(64, seed), frames: 5 });
const open = async (featid: string) => {
  const [opened] = await rig.featids.openAll(rig.caller.accountId, [featid]);
  return opened?.ok ? opened : null;
};
const renewalsOf = async (featid: string) => (await open(featid))?.template.renewals?.length ?? null;
const rowsOf = (featid: string) =>
  rig.database.db
    .selectFrom('featid_renewal')
    .select(['id', 'challenge_id'])
    .where('featid_id', '=', idOf(featid))
    .where(sql<boolean>`sealed_embedding <> ''`)
    .orderBy('created_at')
    .execute();
const keysOf = (ids: readonly string[]) =>
  rig.database.db
    .selectFrom('featid_key')
    .select('featid_id')
    .where('featid_id', 'in', [...ids, 'none'])
    .execute();
const auditsOf = async (subject: string, action = 'featid.renewed') =>
  (
    await rig.database.db
      .selectFrom('audit')
      .select('actor')
      .where('subject', '=', subject)
      .where('action', '=', action)
      .execute()
  ).length;

/** Moves the enrolment and its renewals `days` days into the past. */
async function backdate(featid: string, days: number): Promise<void> {
  const past = sql`created_at - ${days} * interval '1 day'`;
  await sql`update featid set created_at = ${past} where id = ${idOf(featid)}`.execute(rig.database.db);
  await sql`update featid_renewal set created_at = ${past} where featid_id = ${idOf(featid)}`.execute(
    rig.database.db,
  );
}

async function enrolledLongAgo(): Promise<string> {
  const featid = await rig.enrol();
  await backdate(featid, 30);
  return featid;
}

/** Judges captures that may renew what they match. */
function judge(
  waiting: Waiting,
  outcome: Outcome = 'match',
  taken: Pick<FaceTemplate, 'packId' | 'embedding' | 'frames'> = capture(),
) {
  const { accountId } = rig.caller;
  const { challengeId } = waiting;
  return rig.judge(waiting, outcome, {}, (featid) => ({
    renew: () => rig.featids.renew({ accountId, featid, challengeId, capture: taken }),
  }));
}

async function pass(featids: string[], outcome?: Outcome): Promise<Waiting> {
  const [waiting] = await rig.waiting(featids, 1);
  await judge(waiting!, outcome);
  return waiting!;
}

describe('a packed capture', () => {
  it('is read as it was packed, and no other bytes are read', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 512 }),
        fc.option(fc.integer({ min: 1, max: 300 })),
        (seed, size, frames) => {
          const embedding = unitVector(size, seed);
          const packed = packCapture({ embedding, frames });
          const read = readCapture(packed)!;
          expect(read.frames).toBe(frames === null ? null : Math.min(255, frames));
          expect(read.embedding).toHaveLength(size);
          expect(readCapture(packed.subarray(0, -1))).toBeUndefined();
          expect(readCapture(Buffer.concat([packed, Buffer.of(1)]))).toBeUndefined();
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const read = readCapture(Buffer.from(bytes));
        if (read) expect(read.embedding.length).toBe(bytes.length - 4);
      }),
    );
    expect(() => packCapture({ embedding: new Float32Array(8), frames: 1 })).toThrow(RangeError);
  });
});

describe('renewal of a reference', () => {
  it('adds a capture that passed, and leaves the string and the enrolment unchanged', async () => {
    const featid = await enrolledLongAgo();
    const before = await open(featid);
    expect(before).toMatchObject({ isDue: true, template: { renewals: [] } });
    await pass([featid]);
    const after = await open(featid);
    expect(after).toMatchObject({ isDue: false, template: { renewals: [{ frames: 5 }] } });
    expect(after!.template.embedding).toEqual(before!.template.embedding);
    const { embedding } = after!.template.renewals![0]!;
    const cosine = cosineSimilarity(capture().embedding, embedding);
    expect(cosine).toBeGreaterThan(0.999);
    expect(await auditsOf(idOf(featid))).toBe(1);
  });

  it('happens only for accounts that enable it, and is dropped when they disable it', async () => {
    const featid = await enrolledLongAgo();
    await setRenewal(false);
    await pass([featid]);
    expect(await rowsOf(featid)).toEqual([]);
    expect(await open(featid)).toMatchObject({ isDue: false });
    await setRenewal(true);
    await pass([featid]);
    const [row] = await rowsOf(featid);
    await setRenewal(false);
    expect((await open(featid))!.template.renewals).toBeUndefined();
    await createFeatidUpkeepStore(rig.database.db).dropRenewals(100);
    expect(await rowsOf(featid)).toEqual([]);
    expect(await keysOf([row!.id])).toEqual([]);
    expect(await keysOf([idOf(featid)])).toHaveLength(1);
    const { accountId } = rig.caller;
    expect(await auditsOf(accountId, 'account.changed')).toBeGreaterThan(0);
    expect(await rig.featids.check(accountId, [featid])).toMatchObject([{ ok: true }]);
  });

  it('needs a live person who matches: neither a spoof nor another person adds anything', async () => {
    const [one, other] = [await enrolledLongAgo(), await enrolledLongAgo()];
    for (const outcome of ['match_not_live', 'mismatch', 'mismatch_not_live'] as const)
      await pass([one], outcome);
    expect(await rowsOf(one)).toEqual([]);
    await pass([one, other, one]);
    expect([await renewalsOf(one), await renewalsOf(other)]).toEqual([1, 0]);
  });

  it('waits a week after the enrolment and after each capture, and keeps the latest four', async () => {
    const featid = await rig.enrol();
    await pass([featid]);
    expect(await renewalsOf(featid)).toBe(0);
    const ids: string[] = [];
    for (let week = 0; week < 6; week++) {
      await backdate(featid, 7.1);
      await pass([featid]);
      await pass([featid]);
      ids.push((await rowsOf(featid)).at(-1)!.id);
    }
    expect((await rowsOf(featid)).map(({ id }) => id)).toEqual(ids.slice(2));
    expect((await keysOf(ids)).map(({ featid_id }) => featid_id).sort()).toEqual(ids.slice(2).sort());
    expect(await auditsOf(idOf(featid))).toBe(6);
  });

  it('that was replaced by a newer one is removed at once with its FeatureID or its challenge', async () => {
    for (const ending of ['FeatureID', 'challenge'] as const) {
      const featid = await enrolledLongAgo();
      const first = await pass([featid]);
      const { id } = (await rowsOf(featid))[0]!;
      for (let week = 0; week < 4; week++) {
        await backdate(featid, 8);
        await pass([featid]);
      }
      expect((await rowsOf(featid)).map((row) => row.id)).not.toContain(id);
      expect(await isLeftForLater(id)).toBe(true);
      if (ending === 'FeatureID') await rig.featids.revoke(rig.caller.accountId, featid, 'operator');
      else await rig.services.erase(rig.caller, first.challengeId);
      expect(await isLeftForLater(id)).toBe(false);
    }
  });

  /** Whether the bucket of this key has deleted keys whose bytes are due for removal later than now. */
  async function isLeftForLater(id: string): Promise<boolean> {
    const { rows } = await sql`
      select from key_bucket b join key_slots('featid', array[${id}]::text[], array[${featidKeyBase(id)}]::smallint[]) s
        on s.bucket = b.bucket
      where b.family = 'featid' and b.due_at > now()`.execute(rig.database.db);
    return rows.length > 0;
  }

  it('adds one of the captures judged at the same time, and completes every challenge', async () => {
    const [one, two] = [await enrolledLongAgo(), await enrolledLongAgo()];
    const waiting = [...(await rig.waiting([one, two], 4)), ...(await rig.waiting([two, one], 4))];
    const judged = await Promise.all(waiting.map((each) => judge(each)));
    expect(judged.map(({ overall }) => overall)).toEqual(Array(8).fill('pass'));
    expect([await renewalsOf(one), await renewalsOf(two)]).toEqual([1, 1]);
    expect([await auditsOf(idOf(one)), await auditsOf(idOf(two))]).toEqual([1, 1]);
  });

  it('does nothing to a FeatureID that is revoked meanwhile', async () => {
    const featid = await enrolledLongAgo();
    const [waiting] = await rig.waiting([featid], 1);
    await rig.featids.revoke(rig.caller.accountId, featid, 'operator');
    await judge(waiting!);
    expect(await rowsOf(featid)).toEqual([]);
    expect(await keysOf([idOf(featid)])).toEqual([]);
  });

  it('is removed with its FeatureID', async () => {
    const featid = await enrolledLongAgo();
    await pass([featid]);
    const [row] = await rowsOf(featid);
    await rig.featids.revoke(rig.caller.accountId, featid, 'operator');
    expect(await rowsOf(featid)).toEqual([]);
    expect(await keysOf([row!.id, idOf(featid)])).toEqual([]);
  });

  it('is removed with the challenge of its capture; the enrolment and other captures remain', async () => {
    const featid = await enrolledLongAgo();
    const first = await pass([featid]);
    await backdate(featid, 8);
    const second = await pass([featid]);
    const rows = await rowsOf(featid);
    expect(rows.map((row) => row.challenge_id)).toEqual([first.challengeId, second.challengeId]);
    await rig.services.erase(rig.caller, first.challengeId);
    expect(await rowsOf(featid)).toEqual([rows[1]]);
    expect(await keysOf(rows.map(({ id }) => id))).toEqual([{ featid_id: rows[1]!.id }]);
    expect(await renewalsOf(featid)).toBe(1);
  });

  it('remains when retention purges its challenge, and can still be erased afterwards', async () => {
    const featid = await enrolledLongAgo();
    const { challengeId } = await pass([featid]);
    await sql`update challenge set closed_at = closed_at - interval '400 days' where id = ${challengeId}`.execute(
      rig.database.db,
    );
    await rig.sweep.purgeResults(90, 100);
    expect(await renewalsOf(featid)).toBe(1);
    expect(await rig.services.erase(rig.caller, challengeId)).toEqual({ status: 'erased' });
    expect(await renewalsOf(featid)).toBe(0);
  });

  it('that was altered, or moved from another FeatureID, is left out', async () => {
    const [one, two] = [await enrolledLongAgo(), await enrolledLongAgo()];
    await pass([one]);
    await pass([two]);
    const [row] = await rowsOf(one);
    const write = (change: object) =>
      rig.database.db.updateTable('featid_renewal').set(change).where('id', '=', row!.id).execute();
    await write({ featid_id: idOf(two) });
    expect([await renewalsOf(one), await renewalsOf(two)]).toEqual([0, 1]);
    await write({ featid_id: idOf(one) });
    expect(await renewalsOf(one)).toBe(1);
    await write({ sealed_embedding: randomBytes(120) });
    expect(await renewalsOf(one)).toBe(0);
    expect(await open(one)).not.toBeNull();
  });
});
