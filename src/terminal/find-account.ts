// Finds the account that an operator specifies by name or id.
import type { Command } from 'commander';
import type { Accounts } from '../keys/accounts.ts';
import type { Account } from '../keys/tables/account-store.ts';

/** The account with this name or, failing that, this id. Ends the command with an error if there is none. */
export async function requireAccount(
  accounts: Accounts,
  nameOrId: string,
  command: Command,
): Promise<Account> {
  const account = (await accounts.findByName(nameOrId)) ?? (await accounts.find(nameOrId));
  return account ?? command.error(`error: there is no account ${nameOrId}`);
}
