import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { accountsCommand } from '../../src/cli/accounts.ts';
import { deliveriesCommand } from '../../src/cli/deliveries.ts';
import { type Foundation, openFoundation } from '../../src/composition/foundation.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { newDelivery } from '../../src/webhook/endpoint.ts';
import { createDeliveryStore, insertDeliveries } from '../../src/webhook/tables/store.ts';
import { createDeployment, runCommand, type TestDeployment } from '../support/command-line.ts';

let deployment: TestDeployment;
let foundation: Foundation;

beforeAll(async () => {
  deployment = await createDeployment();
  foundation = await openFoundation(
    readConfig(process.env),
    createLogger({ level: 'silent', process: 'test' }),
  );
});
afterAll(async () => {
  await foundation?.close();
  await deployment?.remove();
});

const run = (...args: string[]) => runCommand([accountsCommand(), deliveriesCommand()], args);
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

test('lists deliveries with their attempts, and makes a failed delivery due again', async () => {
  const { account } = await json('accounts', 'create', 'Acme');
  const delivery = await newDelivery(foundation.keys, {
    holder: account,
    challengeId: null,
    event: 'complete',
    endpointIndex: 0,
    configuration: { type: 'https', properties: { endpoint_url: 'https://shop.example/hook/s3cret' } },
  });
  await deployment.database.db.transaction().execute((trx) => insertDeliveries(trx, [delivery]));
  const attempt = {
    at: new Date(),
    durationMs: 7,
    responseStatus: 410,
    outcome: 'gone',
    sealedExcerpt: null,
  } as const;
  const store = createDeliveryStore(deployment.database.db);
  await store.recordAttempts([
    { deliveryId: delivery.id, step: 0, attempt, next: { status: 'failed' }, answered: true },
  ]);

  const { data } = await json('deliveries', 'list', '--account', 'Acme', '--status', 'failed');
  expect(data).toMatchObject([
    { delivery_id: delivery.id, status: 'failed', attempts: [{ outcome: 'gone', response_status: 410 }] },
  ]);
  const table = await run('deliveries', 'list');
  expect(table).toContain('gone 410');
  expect(table).toContain('https://shop.example');
  expect(table).not.toContain('s3cret');
  expect(await json('deliveries', 'list', '--status', 'pending')).toEqual({ data: [] });

  expect(await json('deliveries', 'redeliver', delivery.id)).toMatchObject({ status: 'pending' });
  const audit = deployment.database.db.selectFrom('audit').select(['actor', 'account_id', 'subject']);
  expect(await audit.where('action', '=', 'delivery.redelivered').execute()).toEqual([
    { actor: 'operator', account_id: account, subject: delivery.id },
  ]);
  expect((await store.claim(9)).map(({ id }) => id)).toEqual([delivery.id]);
  await expect(run('deliveries', 'redeliver', 'msg_0')).rejects.toThrow('no delivery');
  await expect(run('deliveries', 'list', '--account', 'Nobody')).rejects.toThrow('no account');
});

test('replaces a webhook secret; both secrets sign during the overlap', async () => {
  const { account, webhook_secret: old } = await json('accounts', 'create', 'Rotating');
  const { webhook_secret: fresh } = await json('accounts', 'rotate-webhook-secret', 'Rotating');
  expect(await foundation.webhookSecrets.inForce(account)).toEqual([fresh, old]);
  const last = await json('accounts', 'rotate-webhook-secret', account, '--overlap-seconds', '0');
  expect(await foundation.webhookSecrets.inForce(account)).toEqual([last.webhook_secret]);
  await expect(run('accounts', 'rotate-webhook-secret', 'Nobody')).rejects.toThrow('no account');
});
