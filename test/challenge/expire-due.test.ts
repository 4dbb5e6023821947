import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expireDue } from '../../src/challenge/expire-due.ts';
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
} from './challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

describe('expiry', () => {
  it('closes what is due with one delivery per notification, however many sweep at once', async () => {
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

  it('leaves out one that cannot be opened, expires the others, and says so', async () => {
    const [broken, whole] = [await createStarted(rig, { notifications }), await createStarted(rig)];
    const garbage = { sealed_request: Buffer.from('not sealed by anybody') };
    await rig.database.db
      .updateTable('challenge')
      .set(garbage)
      .where('id', '=', broken.challengeId)
      .execute();
    for (const { challengeId } of [broken, whole]) await expireIn(rig, challengeId, -1);
    const parts = { ...rig.parts, sweep: rig.sweep };
    await expect(expireDue(parts)).rejects.toThrow('1 challenges cannot be expired');
    expect((await resultOf(rig, whole)).status).toBe('expired');
    await rig.services.erase(rig.caller, broken.challengeId);
    expect(await expireDue(parts)).toBe(0);
  });

  it('and a submission at the same moment: one of them wins, never both', async () => {
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
