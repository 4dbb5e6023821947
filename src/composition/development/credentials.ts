// The account of development mode. The first start creates it; DATA_DIR/dev-credentials.json keeps its credentials.
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { draftBeside, writeSynced } from '../../base/durable-files.ts';
import { Fault } from '../../base/errors.ts';
import { oneAtATime } from '../../storage/postgres/coordination/one-at-a-time.ts';
import type { Foundation } from '../foundation.ts';

export const DEV_CREDENTIALS_FILE = 'dev-credentials.json';
const ACCOUNT_NAME = 'development';

/** The file's content. */
export interface DevCredentials {
  readonly base_url: string;
  readonly account: string;
  readonly api_key: string;
  readonly webhook_secret: string;
  /** Sandbox key (`lk_test_…`); its challenges need no camera. */
  readonly sandbox_api_key: string;
  readonly sandbox_webhook_secret: string;
}

/**
 * The development account's credentials, created if there are none. If the file has no account (another database) or
 * the account has no file (lost), a new account is made beside the old one; nothing is deleted. Processes that start on
 * the same folder agree on one account.
 */
export function ensureDevCredentials(foundation: Foundation, baseUrl: string): Promise<Ensured> {
  return oneAtATime(foundation.database.db, 'development account', () => findOrCreate(foundation, baseUrl));
}

interface Ensured {
  readonly credentials: DevCredentials;
  /** Path of the file. */
  readonly file: string;
  readonly isNew: boolean;
}

async function findOrCreate(foundation: Foundation, baseUrl: string): Promise<Ensured> {
  const file = join(foundation.config.dataDir, DEV_CREDENTIALS_FILE);
  const kept = await readCredentials(file);
  if (kept && (await foundation.accounts.find(kept.account))) {
    const credentials = { ...kept, base_url: baseUrl };
    if (kept.base_url !== baseUrl) await writeCredentials(file, credentials);
    return { credentials, file, isNew: false };
  }
  const credentials = { base_url: baseUrl, ...(await createDevAccount(foundation)) };
  await writeCredentials(file, credentials);
  return { credentials, file, isNew: true };
}

async function createDevAccount(foundation: Foundation): Promise<Omit<DevCredentials, 'base_url'>> {
  for (let number = 1; number <= 100; number++) {
    const name = number === 1 ? ACCOUNT_NAME : `${ACCOUNT_NAME}-${number}`;
    const created = await foundation.accounts.create({ name, displayName: 'Likeness development' }, 'system');
    if (created.status === 'name_taken') continue;
    const { accountId, apiKey, webhookSecret } = created;
    const account = await foundation.accounts.find(accountId);
    const sandbox = account && (await foundation.accounts.createKey(account, { sandbox: true }, 'system'));
    if (!sandbox?.webhookSecret) throw new Fault('INVARIANT', 'a new account already has a sandbox');
    return {
      account: accountId,
      api_key: apiKey.key,
      webhook_secret: webhookSecret,
      sandbox_api_key: sandbox.key,
      sandbox_webhook_secret: sandbox.webhookSecret,
    };
  }
  throw new Fault('INVARIANT', 'a hundred development accounts exist, and the credentials of none are known');
}

async function readCredentials(file: string): Promise<DevCredentials | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DevCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function writeCredentials(file: string, credentials: DevCredentials): Promise<void> {
  const draft = draftBeside(file);
  try {
    await writeSynced(draft, `${JSON.stringify(credentials, null, 2)}\n`);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
