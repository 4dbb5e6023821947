// Reasons of the newest judged challenges: each result is opened once, erased ones no longer count, broken ones are
// skipped.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReasonCount } from '../../src/console/judged-reasons.ts';
import { createConsoleStore } from '../../src/console/tables/store.ts';
import type { Custody } from '../../src/keys/account-keys.ts';
import {
  createRig,
  createStarted,
  judgementOf,
  type Rig,
  settle,
  submit,
} from '../challenge/challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

async function judged(...reasons: string[]): Promise<string> {
  const opened = await createStarted(rig);
  const judgement = judgementOf();
  await settle(rig, await submit(rig, opened.link), { ...judgement, reasons } as typeof judgement);
  return opened.challengeId;
}

it('counts the reasons of existing challenges, and opens each result once', async () => {
  let opened = 0;
  const custody: Custody = {
    ...rig.parts.custody,
    open: (...asked: Parameters<Custody['open']>) => {
      opened += 1;
      return rig.parts.custody.open(...asked);
    },
  };
  const count = createReasonCount(createConsoleStore(rig.database.db), custody);
  expect(await count('live')).toEqual({ reasons: [], reasons_of: 0 });
  const first = await judged('too_dark', 'smile_missing');
  await judged('smile_missing');
  const both = {
    reasons: [
      { reason: 'smile_missing', count: 2 },
      { reason: 'too_dark', count: 1 },
    ],
    reasons_of: 2,
  };
  expect(await count('live')).toEqual(both);
  expect(await count('live')).toEqual(both);
  expect(opened).toBe(2);

  const broken = await judged('two_faces');
  const garbage = { sealed_result: Buffer.from('not sealed by anybody') };
  await rig.database.db.updateTable('challenge').set(garbage).where('id', '=', broken).execute();
  expect(await count('live')).toEqual(both);
  await rig.services.erase(rig.caller, first);
  expect(await count('live')).toEqual({ reasons: [{ reason: 'smile_missing', count: 1 }], reasons_of: 1 });
});
