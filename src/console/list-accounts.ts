// Accounts with their keys, of which only the hints are kept.
import type { ConsoleAccount } from '../contract/console.ts';
import type { Accounts } from '../keys/accounts.ts';

export async function listAccounts(accounts: Pick<Accounts, 'list' | 'listKeys'>): Promise<ConsoleAccount[]> {
  const all = await accounts.list();
  return Promise.all(
    all.map(async (account) => ({
      account_id: account.id,
      name: account.name,
      display_name: account.displayName,
      purpose: account.purpose,
      privacy_url: account.privacyUrl,
      sandbox: account.sandboxOf !== null,
      created_at: account.createdAt.toISOString(),
      keys: (await accounts.listKeys(account.id)).map((key) => ({
        key_id: key.id,
        hint: key.hint,
        sandbox: key.sandbox,
        created_at: key.createdAt.toISOString(),
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
        expires_at: key.expiresAt?.toISOString() ?? null,
        revoked_at: key.revokedAt?.toISOString() ?? null,
      })),
    })),
  );
}
