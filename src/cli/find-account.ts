// Operators name an account by its name or its id.
import type { Account } from '../keys/account-store.ts';
import type { Accounts } from '../keys/accounts.ts';

/** The account of this name or, failing that, of this id. */
export async function findAccount(accounts: Accounts, nameOrId: string): Promise<Account | undefined> {
  return (await accounts.findByName(nameOrId)) ?? (await accounts.find(nameOrId));
}
