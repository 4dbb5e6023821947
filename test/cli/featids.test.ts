import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountsCommand } from '../../src/cli/accounts.ts';
import { featidsCommand } from '../../src/cli/featids.ts';
import { createDeployment, runCommand, type TestDeployment } from '../support/command-line.ts';

let deployment: TestDeployment;

beforeAll(async () => {
  deployment = await createDeployment();
  const idOf = async (name: string) => {
    await runCommand([accountsCommand()], ['accounts', 'create', name]);
    const found = deployment.database.db.selectFrom('account').select('id').where('name', '=', name);
    return (await found.executeTakeFirstOrThrow()).id;
  };
  const [one, two] = [await idOf('one'), await idOf('two')];
  const row = {
    source: 'image',
    layout: 1,
    sealed_template: randomBytes(10),
    key_check: randomBytes(16),
  } as const;
  await deployment.database.db
    .insertInto('featid')
    .values([
      {
        ...row,
        id: 'a',
        account_id: one,
        pack: 'old',
        last_used_at: new Date('2026-10-01T00:00:00Z'),
      },
      { ...row, id: 'b', account_id: one, pack: 'old' },
      { ...row, id: 'c', account_id: two, pack: 'new' },
      { ...row, id: 'd', account_id: one, pack: 'new', sealed_template: null, revoked_at: new Date() },
    ])
    .execute();
});
afterAll(async () => {
  await deployment?.remove();
});

const report = (...args: string[]) => runCommand([featidsCommand()], ['featids', 'report', ...args]);

test('featids report counts by pack, for all accounts or for one', async () => {
  expect(JSON.parse(await report('--json'))).toEqual({
    data: [
      { pack: 'new', in_force: 1, never_compared: 1, last_compared_at: null, erased: 1 },
      {
        pack: 'old',
        in_force: 2,
        never_compared: 1,
        last_compared_at: '2026-10-01T00:00:00.000Z',
        erased: 0,
      },
    ],
  });
  const lines = (await report('--account', 'one')).trimEnd().split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['pack', 'in force', 'never compared', 'last compared', 'erased'],
    ['new', '0', '0', 'never', '1'],
    ['old', '2', '1', '2026-10-01T00:00:00.000Z', '0'],
  ]);
  await expect(report('--account', 'nobody')).rejects.toThrow('there is no account nobody');
});
