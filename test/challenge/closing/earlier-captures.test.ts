// A video that was sent before is recognised within its account for some days.
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seenBefore } from '../../../src/challenge/closing/earlier-captures.ts';
import { commit, createRig, createStarted, type Rig, someVideo, submit } from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const somePrints = (count = 24) =>
  Array.from({ length: count }, () => createHash('sha256').update(randomBytes(16)).digest());

/** A submitted capture of the caller's account. */
async function submitted() {
  const { challengeId, link } = await createStarted(rig);
  const id = await submit(rig, link);
  return { id, challengeId, ask: (prints: Buffer[]) => seenBefore(rig.parts, { id }, rig.caller, prints) };
}

describe('seenBefore', () => {
  it('recognises a video that was sent before, whole and in part, and never matches a capture with itself', async () => {
    const prints = somePrints();
    const first = await submitted();
    expect(await first.ask(prints)).toBe(0);
    expect(await first.ask(prints), 'judged a second time').toBe(0);
    expect(await (await submitted()).ask(prints)).toBe(1);
    const half = [...prints.slice(0, 12), ...somePrints(12)];
    expect(await (await submitted()).ask(half)).toBe(0.5);
    expect(await (await submitted()).ask(somePrints())).toBe(0);
  });

  it('accepts one of several captures, the one compared first, whichever was sent first', async () => {
    const prints = somePrints();
    const [earlier, later] = [await submitted(), await submitted()];
    expect(await later.ask(prints)).toBe(0);
    expect(await earlier.ask(prints)).toBe(1);
    expect(await later.ask(prints), 'judged again').toBe(0);
    expect(await earlier.ask(prints), 'judged again').toBe(1);
  });

  it('recognises a recording whose last byte was held back until its copies had passed', async () => {
    const prints = somePrints();
    const { link } = await createStarted(rig);
    const video = someVideo();
    const { capture_id: id } = await commit(rig, link, video);
    expect(await (await submitted()).ask(prints)).toBe(0);
    await rig.services.acceptBytes(link, id, 0, async () => video);
    expect(await seenBefore(rig.parts, { id }, rig.caller, prints)).toBe(1);
  });

  it('accepts exactly one of several captures that are compared at the same moment', async () => {
    const prints = somePrints();
    const copies = await Promise.all(Array.from({ length: 6 }, submitted));
    const shares = await Promise.all(copies.map(({ ask }) => ask(prints)));
    expect(shares.toSorted()).toEqual([0, 1, 1, 1, 1, 1]);
  });

  it('recognises a recording that is followed and judged before its bytes are stored', async () => {
    const prints = somePrints();
    await (await submitted()).ask(prints);
    const { link } = await createStarted(rig);
    const { capture_id: id } = await commit(rig, link, someVideo());
    expect(await seenBefore(rig.parts, { id }, rig.caller, prints)).toBe(1);
  });

  it('returns null without prints, and for a capture that is erased meanwhile', async () => {
    const gone = await submitted();
    expect(await gone.ask([])).toBeNull();
    await rig.services.erase(rig.caller, gone.challengeId);
    expect(await gone.ask(somePrints())).toBeNull();
  });

  it('forgets the prints with the challenge, and stores nothing that another account or a bare hash could find', async () => {
    const prints = somePrints();
    const first = await submitted();
    await first.ask(prints);
    const rows = await rig.database.db
      .selectFrom('frame_print')
      .selectAll()
      .where('capture_id', '=', first.id)
      .execute();
    expect(rows).toHaveLength(24);
    for (const { print } of rows)
      expect(prints.some((bare) => bare.subarray(0, print.length).equals(print))).toBe(false);
    const second = await submitted();
    expect(await seenBefore(rig.parts, second, rig.stranger, prints)).toBe(0);
    await rig.services.erase(rig.caller, first.challengeId);
    expect(await (await submitted()).ask(prints)).toBe(0);
  });

  it('recognises a video for the configured number of days, and forgets older ones in batches', async () => {
    const prints = somePrints();
    const first = await submitted();
    const { db } = rig.database;
    const left = async () =>
      (await db.selectFrom('frame_print').selectAll().where('capture_id', '=', first.id).execute()).length;
    /** Compares the capture as if it was sent `days` days ago. */
    const sentDaysAgo = async (days: number) => {
      await db
        .updateTable('capture')
        .set({
          committed_at: sql<Date>`now() - ${days} * interval '1 day' + interval '1 minute'`,
          shared_prints: null,
        })
        .where('id', '=', first.id)
        .execute();
      await db.deleteFrom('frame_print').where('capture_id', '=', first.id).execute();
      await first.ask(prints);
    };
    for (const days of [1, 7]) {
      await sentDaysAgo(days);
      await rig.sweep.forgetFramePrints(7, 100);
      const again = await submitted();
      expect(await again.ask(prints), `${days} days later`).toBe(1);
      await rig.services.erase(rig.caller, again.challengeId);
    }
    await sentDaysAgo(8);
    expect(await (await submitted()).ask(somePrints().concat(prints)), 'too old to compare with').toBe(0);
    expect(await rig.sweep.forgetFramePrints(7, 100), 'kept for captures that wait').toBe(0);
    await sentDaysAgo(9);
    expect(await left()).toBe(24);
    expect(await rig.sweep.forgetFramePrints(7, 20)).toBe(20);
    expect(await left()).toBe(4);
    expect(await rig.sweep.forgetFramePrints(7, 20)).toBe(4);
    expect(await left()).toBe(0);
  });

  it('leaves prints that are being erased to the erasure, without waiting for it', async () => {
    const { db } = rig.database;
    const first = await submitted();
    await first.ask(somePrints());
    await db
      .updateTable('frame_print')
      .set({ committed_at: sql<Date>`now() - interval '10 days'` })
      .where('capture_id', '=', first.id)
      .execute();
    await db.transaction().execute(async (erasing) => {
      await erasing.deleteFrom('frame_print').where('capture_id', '=', first.id).execute();
      expect(await rig.sweep.forgetFramePrints(7, 100)).toBe(0);
    });
    expect(await rig.sweep.forgetFramePrints(7, 100)).toBe(0);
  });

  it('counts prints that occur twice once', async () => {
    const [one, two] = [somePrints(1), somePrints(1)];
    await (await submitted()).ask([...one, ...one, ...two]);
    expect(await (await submitted()).ask([...one, ...somePrints(1)])).toBe(0.5);
  });
});
