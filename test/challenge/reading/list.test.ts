// A list leaves a line in the audit log: whose key read it, by which filters, and what it showed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRig, createStarted, type Rig } from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

it('is audited with the names of its filters, without their values', async () => {
  const reference = 'a person in a list';
  const { challengeId } = await createStarted(rig, { customer_reference: reference });
  await createStarted(rig);
  const listed = await rig.services.list(rig.caller, { customer_reference: reference, limit: 5 });
  expect(listed).toMatchObject({ data: [{ challenge_id: challengeId }] });
  const lines = await rig.database.db
    .selectFrom('audit')
    .select(['actor', 'account_id', 'subject', 'detail'])
    .where('action', '=', 'challenges.listed')
    .execute();
  const { actor, accountId: account_id } = rig.caller;
  const detail = { filters: ['customer_reference', 'limit'], shown: [challengeId] };
  expect(lines).toEqual([{ actor, account_id, subject: null, detail }]);
});
