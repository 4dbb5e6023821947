// A video that was sent before is known again within its account, for as long as the capture that held it is kept.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seenBefore } from '../../src/challenge/earlier-captures.ts';
import { createRig, createStarted, type Rig, submit } from './challenge-rig.ts';

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
  it('knows a video again, whole and in part, and never itself', async () => {
    const prints = somePrints();
    const first = await submitted();
    expect(await first.ask(prints)).toBe(0);
    expect(await first.ask(prints), 'judged a second time').toBe(0);
    expect(await (await submitted()).ask(prints)).toBe(1);
    const half = [...prints.slice(0, 12), ...somePrints(12)];
    expect(await (await submitted()).ask(half)).toBe(0.5);
    expect(await (await submitted()).ask(somePrints())).toBe(0);
  });

  it('lets the earlier of two captures be, whichever is judged first', async () => {
    const prints = somePrints();
    const [earlier, later] = [await submitted(), await submitted()];
    expect(await later.ask(prints)).toBe(0);
    expect(await earlier.ask(prints)).toBe(0);
    expect(await later.ask(prints)).toBe(1);
  });

  it('says nothing without prints', async () => {
    expect(await (await submitted()).ask([])).toBeNull();
  });

  it('forgets with the challenge, and keeps nothing that another account or a bare hash could find', async () => {
    const prints = somePrints();
    const first = await submitted();
    await first.ask(prints);
    const rows = await rig.database.db
      .selectFrom('capture_frame')
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
});
