import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { accountsCommand } from '../../src/cli/accounts.ts';
import { deliveriesCommand } from '../../src/cli/deliveries.ts';
import { type Foundation, openFoundation } from '../../src/composition/foundation.ts';
import { readConfig } from '../../src/config.ts';
import { createDeliveryStore, insertDeliveries } from '../../src/storage/postgres/delivery-store.ts';
import { newDelivery } from '../../src/webhook/endpoint.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let dataDir: string;
let foundation: Foundation;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-cli-'));
  // Vitest has a MODE and a BASE_URL of its own.
  vi.stubEnv('MODE', 'development');
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('LOG_LEVEL', 'silent');
  foundation = await openFoundation(
    readConfig(process.env),
    createLogger({ level: 'silent', process: 'test' }),
  );
});
afterAll(async () => {
  await foundation?.close();
  vi.unstubAllEnvs();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

/** Runs a command line; answers what it wrote to stdout, throws CommanderError where the process would end. */
async function run(...args: string[]): Promise<string> {
  let output = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
  const program = new Command().addCommand(accountsCommand()).addCommand(deliveriesCommand());
  const all = [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)];
  for (const command of all) command.exitOverride().configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync(args, { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return output;
}
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

test('the outbox is listed with its attempts, and a failed delivery made due again', async () => {
  const { account } = await json('accounts', 'create', 'Acme');
  const delivery = await newDelivery(foundation.keys, {
    accountId: account,
    challengeId: null,
    event: 'complete',
    endpointIndex: 0,
    configuration: { type: 'https', properties: { endpoint_url: 'https://shop.example/hook/s3cret' } },
  });
  await insertDeliveries(database.db, [delivery]);
  const attempt = {
    at: new Date(),
    durationMs: 7,
    responseStatus: 410,
    outcome: 'gone',
    sealedExcerpt: null,
  } as const;
  const store = createDeliveryStore(database.db);
  await store.recordAttempts([{ deliveryId: delivery.id, step: 0, attempt, next: { status: 'failed' } }]);

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
  const claimed = await store.claim({ free: 2, freeForRetries: 2, after: null });
  expect(claimed.deliveries.map(({ id }) => id)).toEqual([delivery.id]);
  await expect(run('deliveries', 'redeliver', 'msg_0')).rejects.toThrow('no delivery');
  await expect(run('deliveries', 'list', '--account', 'Nobody')).rejects.toThrow('no account');
});

test('a webhook secret is replaced, and both sign for a while', async () => {
  const { account, webhook_secret: old } = await json('accounts', 'create', 'Rotating');
  const { webhook_secret: fresh } = await json('accounts', 'rotate-webhook-secret', 'Rotating');
  expect(await foundation.webhookSecrets.inForce(account)).toEqual([fresh, old]);
  const last = await json('accounts', 'rotate-webhook-secret', account, '--overlap-seconds', '0');
  expect(await foundation.webhookSecrets.inForce(account)).toEqual([last.webhook_secret]);
  await expect(run('accounts', 'rotate-webhook-secret', 'Nobody')).rejects.toThrow('no account');
});
