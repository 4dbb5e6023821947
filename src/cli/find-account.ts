// Operators name an account by its name or its id.
import type { Command } from 'commander';
import type { Account } from '../keys/account-store.ts';
import type { Accounts } from '../keys/accounts.ts';

/** The account of this name or, failing that, of this id. Ends the command with an error where there is none. */
export async function requireAccount(
  accounts: Accounts,
  nameOrId: string,
  command: Command,
): Promise<Account> {
  const account = (await accounts.findByName(nameOrId)) ?? (await accounts.find(nameOrId));
  return account ?? command.error(`error: there is no account ${nameOrId}`);
}
