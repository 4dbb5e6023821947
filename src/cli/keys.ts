// `likeness keys`: manages the API keys of an account, and rotates the master key.
import { Command } from 'commander';
import { withFoundation } from '../composition/with-foundation.ts';
import type { Accounts } from '../keys/accounts.ts';
import { OPERATOR } from '../keys/principal.ts';
import type { Account } from '../keys/tables/account-store.ts';
import type { ApiKey } from '../keys/tables/api-key-store.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { requireAccount } from '../terminal/find-account.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { rotateMasterCommand } from './rotate-master.ts';

/** How long a replaced key keeps working by default. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;
/** A year. */
export const MAX_OVERLAP_SECONDS = 31_536_000;
const ACCOUNT_OPTION = ['--account <name>', 'name or id of the account'] as const;

interface KeyOptions {
  account: string;
  sandbox?: boolean;
  overlapSeconds: number;
  json?: boolean;
}

/** The `keys` command. */
export function keysCommand(): Command {
  return new Command('keys')
    .description('the API keys of an account; rotation of the master key')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand())
    .addCommand(rotateMasterCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create an API key and print it, once')
    .requiredOption(...ACCOUNT_OPTION)
    .option('--sandbox', 'a sandbox key (lk_test_…)')
    .option(...JSON_OPTION)
    .action(async ({ account: name, sandbox = false, json }: KeyOptions, command: Command) => {
      const issued = await onAccount(name, command, (accounts, account) =>
        accounts.createKey(account, { sandbox }, OPERATOR),
      );
      const { id, key, accountId: account, webhookSecret } = issued;
      const secret = webhookSecret ? { webhook_secret: webhookSecret } : {};
      writeAnswer(json, { id, account, api_key: key, sandbox: issued.sandbox, ...secret }, [
        key,
        ...(webhookSecret ? [`${webhookSecret}  signs the webhooks of the sandbox`] : []),
        `Save it now: it is not shown again. To revoke it: likeness keys revoke --account ${account} ${id}`,
      ]);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('list the API keys of an account, those of its sandbox first; newest first')
    .requiredOption(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ account: name, json }: KeyOptions, command: Command) => {
      const keys = await onAccount(name, command, keysOf);
      const rows = keys.map((key) => [
        key.id,
        key.hint,
        stateOf(key),
        key.createdAt.toISOString(),
        key.lastUsedAt?.toISOString() ?? 'never',
      ]);
      const lines = alignColumns([['id', 'key', 'state', 'created', 'last used'], ...rows]);
      writeAnswer(json, { data: keys.map(describeKey) }, lines);
    });
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('replace an API key: prints the new one, once; the old one keeps working for a while')
    .argument('<key-id>', 'id of the key, as `keys list` shows it')
    .requiredOption(...ACCOUNT_OPTION)
    .option(
      '--overlap-seconds <n>',
      'how long the old key keeps working',
      wholeNumber(0, MAX_OVERLAP_SECONDS),
      DEFAULT_OVERLAP_SECONDS,
    )
    .option(...JSON_OPTION)
    .action(async (keyId: string, { account: name, overlapSeconds, json }: KeyOptions, command: Command) => {
      const issued = await onAccount(name, command, async (accounts, account) => {
        const old = (await keysOf(accounts, account)).find((key) => key.id === keyId);
        return old ? accounts.rotateKey(old, overlapSeconds, OPERATOR) : null;
      });
      if (!issued) return command.error(`error: ${name} has no key ${keyId} in force`);
      const { id, key, sandbox } = issued;
      writeAnswer(json, { id, api_key: key, sandbox, overlap_seconds: overlapSeconds }, [
        key,
        `Save it now: it is not shown again. ${keyId} works for another ${overlapSeconds} seconds.`,
      ]);
    });
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revoke an API key at once')
    .argument('<key-id>', 'id of the key, as `keys list` shows it')
    .requiredOption(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .action(async (keyId: string, { account: name, json }: KeyOptions, command: Command) => {
      const revoked = await onAccount(name, command, async (accounts, account) => {
        const key = (await keysOf(accounts, account)).find((each) => each.id === keyId);
        return key !== undefined && accounts.revokeKey(key.accountId, keyId, OPERATOR);
      });
      if (!revoked) command.error(`error: ${name} has no key ${keyId} in force`);
      writeAnswer(json, { id: keyId, revoked: true }, [`${keyId} is revoked`]);
    });
}

/** The account's keys, those of its sandbox first. */
async function keysOf(accounts: Accounts, account: Account): Promise<ApiKey[]> {
  const sandbox = await accounts.findSandboxOf(account.id);
  const owners = sandbox ? [sandbox, account] : [account];
  return (await Promise.all(owners.map(({ id }) => accounts.listKeys(id)))).flat();
}

function onAccount<T>(
  name: string,
  command: Command,
  work: (accounts: Accounts, account: Account) => Promise<T>,
): Promise<T> {
  return withFoundation(async ({ accounts }) =>
    work(accounts, await requireAccount(accounts, name, command)),
  );
}

function stateOf(key: ApiKey): string {
  if (key.revokedAt) return 'revoked';
  if (!key.expiresAt) return 'in force';
  return key.expiresAt > new Date() ? `until ${key.expiresAt.toISOString()}` : 'expired';
}

function describeKey(key: ApiKey): object {
  return {
    id: key.id,
    hint: key.hint,
    sandbox: key.sandbox,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
  };
}
