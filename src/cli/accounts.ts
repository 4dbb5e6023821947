// `likeness accounts`: manages the accounts (clients) of this deployment.
import { Command, InvalidArgumentError } from 'commander';
import { webUrlFaults } from '../challenge/creating/url-rules.ts';
import { withFoundation } from '../composition/with-foundation.ts';
import { OPERATOR } from '../keys/principal.ts';
import type { Account } from '../keys/tables/account-store.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { requireAccount } from '../terminal/find-account.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from './keys.ts';

const MAX_NAME_CHARS = 100;

interface CreateOptions {
  displayName?: string;
  privacyUrl?: string;
  purpose?: string;
  json?: boolean;
}

/** The `accounts` command. */
export function accountsCommand(): Command {
  return new Command('accounts')
    .description('the clients of this deployment')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rotateWebhookSecretCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('create an account and print its API key and webhook secret, once')
    .argument('<name>', 'unique name, for operators', readName)
    .option('--display-name <text>', 'name shown on the privacy screen (default: NAME)', readName)
    .option('--privacy-url <url>', 'privacy notice linked from the privacy screen', readUrl)
    .option('--purpose <text>', 'purpose of the check, shown on the privacy screen')
    .option(...JSON_OPTION)
    .action(async (name: string, { json, ...details }: CreateOptions, command: Command) => {
      const created = await withFoundation(({ accounts }) => accounts.create({ name, ...details }, OPERATOR));
      if (created.status === 'name_taken') command.error(`error: an account named ${name} already exists`);
      const { accountId, apiKey, webhookSecret } = created;
      const answer = { account: accountId, name, api_key: apiKey.key, webhook_secret: webhookSecret };
      writeAnswer(json, answer, [
        `account         ${accountId}`,
        `API key         ${apiKey.key}`,
        `webhook secret  ${webhookSecret}`,
        'Save both now: the key is not shown again.',
      ]);
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('list the accounts')
    .option(...JSON_OPTION)
    .action(async ({ json }: { json?: boolean }) => {
      const accounts = await withFoundation((foundation) => foundation.accounts.list());
      const rows = accounts.map(({ id, name, displayName, createdAt }) => [
        id,
        name,
        displayName,
        createdAt.toISOString(),
      ]);
      writeAnswer(json, { data: accounts.map(describeAccount) }, [
        ...alignColumns([['account', 'name', 'display name', 'created'], ...rows]),
      ]);
    });
}

interface RotateOptions {
  overlapSeconds: number;
  json?: boolean;
}

function rotateWebhookSecretCommand(): Command {
  return new Command('rotate-webhook-secret')
    .description(
      'replace the secret that signs webhooks; for a while both sign, so that receivers can switch',
    )
    .argument('<account>', 'name or id of the account')
    .option(
      '--overlap-seconds <n>',
      'how long the old secret keeps signing',
      wholeNumber(0, MAX_OVERLAP_SECONDS),
      DEFAULT_OVERLAP_SECONDS,
    )
    .option(...JSON_OPTION)
    .action(async (name: string, { overlapSeconds, json }: RotateOptions, command: Command) => {
      const secret = await withFoundation(async ({ accounts, webhookSecrets }) => {
        const account = await requireAccount(accounts, name, command);
        return webhookSecrets.rotate(account.id, overlapSeconds, OPERATOR);
      });
      writeAnswer(json, { webhook_secret: secret, overlap_seconds: overlapSeconds }, [
        secret,
        `Save it now: it is not shown again. The old secret also signs for another ${overlapSeconds} seconds.`,
      ]);
    });
}

function describeAccount(account: Account): object {
  return {
    account: account.id,
    name: account.name,
    display_name: account.displayName,
    privacy_url: account.privacyUrl,
    purpose: account.purpose,
    sandbox_of: account.sandboxOf,
    created_at: account.createdAt,
  };
}

function readName(text: string): string {
  const name = text.trim();
  if (!name || name.length > MAX_NAME_CHARS) {
    throw new InvalidArgumentError(`1 to ${MAX_NAME_CHARS} characters are required`);
  }
  return name;
}

function readUrl(text: string): string {
  const [fault] = webUrlFaults(text, '');
  if (fault) throw new InvalidArgumentError(`the address ${fault.detail}`);
  return text;
}
