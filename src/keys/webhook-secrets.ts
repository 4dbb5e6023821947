// The secrets that sign an account's webhooks (Standard Webhooks: `whsec_` + base64 of 32 random bytes).
import { randomBytes } from 'node:crypto';
import { newId } from '../base/ids.ts';
import { repeatInBatches } from '../base/repeat-in-batches.ts';
import type { AccountKeys } from './account-keys.ts';
import type { SealedWebhookSecret, WebhookSecretStore } from './tables/webhook-secret-store.ts';

/** Key purpose of stored secrets; each is bound to its row by the row's id. */
const PURPOSE = 'webhook-secret';
const SECRET_BYTES = 32;
const PURGE_BATCH = 100;

export interface WebhookSecrets {
  /** Creates a secret; the old ones keep signing for `overlapSeconds`. */
  rotate(accountId: string, overlapSeconds: number, actor: string): Promise<string>;
  /** Secrets to sign with, newest first; several while one is being replaced. */
  inForce(accountId: string): Promise<readonly string[]>;
  /** Deletes secrets of every account whose overlap is over; returns how many. */
  purgeEnded(): Promise<number>;
}

/** Makes a secret and seals it with `seal`. The first one of an account is made together with the account. */
export async function issueWebhookSecret(
  seal: (purpose: string, plaintext: Uint8Array, associatedData: string) => Promise<Buffer> | Buffer,
): Promise<{ secret: string; row: SealedWebhookSecret }> {
  const id = newId('webhookSecret');
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  return { secret, row: { id, sealedSecret: await seal(PURPOSE, Buffer.from(secret), id) } };
}

export function createWebhookSecrets(parts: {
  keys: AccountKeys;
  store: WebhookSecretStore;
}): WebhookSecrets {
  const { keys, store } = parts;
  return {
    rotate: async (accountId, overlapSeconds, actor) => {
      const { secret, row } = await issueWebhookSecret((...record) => keys.seal(accountId, ...record));
      await store.insert({ ...row, accountId }, overlapSeconds, actor);
      return secret;
    },
    inForce: async (accountId) => {
      const sealed = await store.listInForce(accountId);
      const open = sealed.map(({ id, sealedSecret }) => keys.open(accountId, PURPOSE, sealedSecret, id));
      return (await Promise.all(open)).map((secret) => secret.toString());
    },
    purgeEnded: () => repeatInBatches(PURGE_BATCH, () => store.deleteEnded(PURGE_BATCH)),
  };
}
