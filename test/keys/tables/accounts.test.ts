import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccountKeys } from '../../../src/keys/account-keys.ts';
import { type Accounts, createAccounts } from '../../../src/keys/accounts.ts';
import { generateApiKey, parseApiKey } from '../../../src/keys/api-key.ts';
import { createMasterKeyRing } from '../../../src/keys/master-key-ring.ts';
import { createAccountStore } from '../../../src/keys/tables/account-store.ts';
import { createApiKeyStore } from '../../../src/keys/tables/api-key-store.ts';
import { createWebhookSecretStore } from '../../../src/keys/tables/webhook-secret-store.ts';
import { createWebhookSecrets, type WebhookSecrets } from '../../../src/keys/webhook-secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let accounts: Accounts;
let secrets: WebhookSecrets;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const store = createAccountStore(db);
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  accounts = createAccounts({ accounts: store, apiKeys: createApiKeyStore(db), masterKeys });
  secrets = createWebhookSecrets({
    keys: createAccountKeys({ masterKeys, store }),
    store: createWebhookSecretStore(db),
  });
});
afterAll(() => database.drop());

let count = 0;
async function newAccount() {
  const made = await accounts.create({ name: `account ${++count}` }, 'operator');
  if (made.status !== 'created') throw new Error(made.status);
  return made;
}
const authenticate = (text: string) => accounts.authenticate(parseApiKey(text)!);
const actionsOn = async (subject: string) =>
  (
    await database.db
      .selectFrom('audit')
      .select('action')
      .where('subject', '=', subject)
      .orderBy('id')
      .execute()
  ).map((row) => row.action);

describe('an account', () => {
  test('is created whole: name, key, API key, webhook secret, audit row', async () => {
    const details = {
      name: 'Acme',
      displayName: 'Acme Bank',
      privacyUrl: 'https://a.example/p',
      purpose: 'login',
    };
    const made = await accounts.create(details, 'operator');
    if (made.status !== 'created') throw new Error(made.status);
    expect(await accounts.find(made.accountId)).toMatchObject({ id: made.accountId, ...details });
    expect(await accounts.findByName('Acme')).toMatchObject({ id: made.accountId });
    expect(await authenticate(made.apiKey.key)).toEqual({
      accountId: made.accountId,
      keyId: made.apiKey.id,
      sandbox: false,
    });
    expect(made.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await secrets.inForce(made.accountId)).toEqual([made.webhookSecret]);
    expect(await actionsOn(made.accountId)).toEqual(['account.created']);
    expect(await actionsOn(made.apiKey.id)).toEqual(['api_key.created']);
  });

  test('with an existing name is refused and leaves nothing, even if several are created at once', async () => {
    const made = await Promise.all([1, 2, 3].map(() => accounts.create({ name: 'Twice' }, 'operator')));
    expect(made.map((one) => one.status).sort()).toEqual(['created', 'name_taken', 'name_taken']);
    expect((await accounts.list()).filter((account) => account.name === 'Twice')).toHaveLength(1);
  });

  test('has no secret in clear in any table', async () => {
    const made = await newAccount();
    const dump = await sql<{ text: string }>`
      select (select json_agg(a)::text from account a) || (select json_agg(k)::text from api_key k)
          || (select json_agg(w)::text from webhook_secret w) || (select json_agg(x)::text from audit x) as text`.execute(
      database.db,
    );
    for (const secret of [made.apiKey.key.slice(8), made.webhookSecret.slice(6)]) {
      expect(dump.rows[0]!.text).not.toContain(secret);
      expect(dump.rows[0]!.text).not.toContain(Buffer.from(secret).toString('hex'));
      expect(dump.rows[0]!.text).not.toContain(Buffer.from(secret, 'base64').toString('hex'));
    }
  });
});

describe('an API key', () => {
  test('that was never issued authenticates nobody', async () => {
    await newAccount();
    expect(await accounts.authenticate(generateApiKey('live'))).toBeNull();
  });

  test('is listed with a hint, its kind and its last use', async () => {
    const { accountId, apiKey } = await newAccount();
    const second = await accounts.createKey(
      (await accounts.find(accountId))!,
      { sandbox: false },
      'operator',
    );
    expect(await authenticate(second.key)).toMatchObject({ accountId, sandbox: false });
    const [newest, oldest] = await accounts.listKeys(accountId);
    expect(newest).toMatchObject({ id: second.id, sandbox: false, lastUsedAt: expect.any(Date) });
    expect(oldest).toMatchObject({
      id: apiKey.id,
      hint: `lk_live_…${apiKey.key.slice(-4)}`,
      lastUsedAt: null,
    });
  });

  test('of the sandbox belongs to an account of its own, created once even for concurrent requests', async () => {
    const { accountId } = await newAccount();
    const live = (await accounts.find(accountId))!;
    const made = await Promise.all(
      [1, 2, 3].map(() => accounts.createKey(live, { sandbox: true }, 'operator')),
    );
    const sandbox = (await accounts.findSandboxOf(accountId))!;
    expect(sandbox).toMatchObject({ name: `${live.name} (sandbox)`, sandboxOf: accountId });
    expect(made.map((one) => one.accountId)).toEqual([sandbox.id, sandbox.id, sandbox.id]);
    for (const { key } of made) {
      expect(key).toMatch(/^lk_test_/);
      expect(await authenticate(key)).toMatchObject({ accountId: sandbox.id, sandbox: true });
    }
    const signing = made.flatMap((one) => one.webhookSecret ?? []);
    expect(await secrets.inForce(sandbox.id)).toEqual(signing);
    expect(await accounts.createKey(sandbox, { sandbox: false }, 'operator')).toMatchObject({
      sandbox: true,
    });
    expect(await accounts.listKeys(accountId)).toHaveLength(1);
  });

  test('works until it is revoked, which another account cannot do', async () => {
    const [{ accountId, apiKey }, other] = [await newAccount(), await newAccount()];
    expect(await accounts.revokeKey(other.accountId, apiKey.id, 'operator')).toBe(false);
    expect(await authenticate(apiKey.key)).not.toBeNull();
    expect(await accounts.revokeKey(accountId, apiKey.id, 'operator')).toBe(true);
    expect(await authenticate(apiKey.key)).toBeNull();
    expect(await accounts.revokeKey(accountId, apiKey.id, 'operator')).toBe(false);
    expect(await actionsOn(apiKey.id)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  test('is rotated with an overlap in which both keys work', async () => {
    const { accountId, apiKey } = await newAccount();
    const old = { id: apiKey.id, accountId, sandbox: false };
    const next = await accounts.rotateKey(old, 1, 'operator');
    expect(await authenticate(apiKey.key)).not.toBeNull();
    expect(await authenticate(next!.key)).not.toBeNull();
    await delay(1100);
    expect(await authenticate(apiKey.key)).toBeNull();
    expect(await authenticate(next!.key)).not.toBeNull();
    expect(await accounts.rotateKey(old, 1, 'operator')).toBeNull();
  });
});

describe('webhook secrets', () => {
  test('are rotated: both sign during the overlap, the newest first', async () => {
    const { accountId, webhookSecret } = await newAccount();
    const second = await secrets.rotate(accountId, 1, 'operator');
    expect(await secrets.inForce(accountId)).toEqual([second, webhookSecret]);
    const third = await secrets.rotate(accountId, 0, 'operator');
    expect(await secrets.inForce(accountId)).toEqual([third]);
  });

  test('are deleted when their overlap has ended', async () => {
    const { accountId } = await newAccount();
    const second = await secrets.rotate(accountId, 0, 'operator');
    const third = await secrets.rotate(accountId, 3_600, 'operator');
    expect(await secrets.purgeEnded()).toBeGreaterThanOrEqual(1);
    const stored = database.db.selectFrom('webhook_secret').select('id').where('account_id', '=', accountId);
    expect(await stored.execute()).toHaveLength(2);
    expect(await secrets.inForce(accountId)).toEqual([third, second]);
    expect(await secrets.purgeEnded()).toBe(0);
  });
});

test('the audit log cannot be changed', async () => {
  const { accountId } = await newAccount();
  const change = database.db
    .updateTable('audit')
    .set({ actor: 'x' })
    .where('subject', '=', accountId)
    .execute();
  await expect(change).rejects.toThrow('append-only');
  const removal = database.db.deleteFrom('audit').where('subject', '=', accountId).execute();
  await expect(removal).rejects.toThrow('append-only');
});
