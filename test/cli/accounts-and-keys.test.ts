import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountsCommand } from '../../src/cli/accounts.ts';
import { keysCommand } from '../../src/cli/keys.ts';
import { createDeployment, runCommand, type TestDeployment } from '../support/command-line.ts';

let deployment: TestDeployment;

beforeAll(async () => {
  deployment = await createDeployment();
});
afterAll(async () => {
  await deployment?.remove();
});

const run = (...args: string[]) => runCommand([accountsCommand(), keysCommand()], args);
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

describe('accounts and keys on the command line', () => {
  test('creates an account once, with its key and secret', async () => {
    const made = await json(
      'accounts',
      'create',
      'Acme',
      '--purpose',
      'Log in',
      '--privacy-url',
      'https://a.example',
    );
    expect(made).toEqual({
      account: expect.stringMatching(/^acct_/),
      name: 'Acme',
      api_key: expect.stringMatching(/^lk_live_dev_/),
      webhook_secret: expect.stringMatching(/^whsec_/),
    });
    await expect(run('accounts', 'create', 'Acme')).rejects.toThrow(CommanderError);
    const { data } = await json('accounts', 'list');
    expect(data).toEqual([expect.objectContaining({ account: made.account, purpose: 'Log in' })]);
  });

  test('creates, lists, rotates and revokes keys, by account name or id', async () => {
    const { account } = await json('accounts', 'create', 'Keys');
    const made = await json('keys', 'create', '--account', 'Keys', '--sandbox');
    expect(made).toMatchObject({
      api_key: expect.stringMatching(/^lk_test_/),
      webhook_secret: expect.stringMatching(/^whsec_/),
    });
    // The sandbox is an account of its own, created with its first key.
    expect(made.account).not.toBe(account);
    const second = await json('keys', 'create', '--account', 'Keys (sandbox)');
    expect(second).toMatchObject({ account: made.account, api_key: expect.stringMatching(/^lk_test_/) });
    expect(second).not.toHaveProperty('webhook_secret');
    const next = await json('keys', 'rotate', '--account', account, made.id, '--overlap-seconds', '60');
    expect(next.api_key).toMatch(/^lk_test_/);
    expect(await json('keys', 'revoke', '--account', account, made.id)).toEqual({
      id: made.id,
      revoked: true,
    });
    const { data } = await json('keys', 'list', '--account', 'Keys');
    expect(data).toHaveLength(4);
    expect(data.find((key: { id: string }) => key.id === made.id).revoked_at).not.toBeNull();
    expect(JSON.stringify(data)).not.toContain(made.api_key);
    expect(await run('keys', 'list', '--account', 'Keys')).toContain('revoked');
  });

  test.each([
    ['accounts', 'create', ' '],
    ['accounts', 'create', 'X', '--privacy-url', 'javascript:alert(1)'],
    ['keys', 'list'],
    ['keys', 'list', '--account', 'nobody'],
    ['keys', 'revoke', '--account', 'Acme', 'key_none'],
    ['keys', 'rotate', '--account', 'Acme', 'key_none'],
    ['keys', 'rotate', '--account', 'Acme', 'key_none', '--overlap-seconds', '-1'],
  ])('%s %s %s is refused', async (...args) => {
    await expect(run(...args.filter((arg) => arg !== undefined))).rejects.toThrow(CommanderError);
  });
});
