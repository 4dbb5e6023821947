// What an operator administers in the provider, by commands and in the console. It does not load the provider's
// library.
import type { ChallengeServices } from '../challenge/services.ts';
import type { Accounts } from '../keys/accounts.ts';
import type { Clients } from './clients.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Subjects } from './subjects.ts';

export interface OidcAdministration {
  readonly clients: Clients;
  readonly subjects: Subjects;
  readonly keys: SigningKeys;
}

/** What a command works with. */
export interface OidcWork extends OidcAdministration {
  readonly accounts: Accounts;
  readonly challenges: Pick<ChallengeServices, 'list' | 'erase'>;
}

/** Runs a command's `work` on the deployment that the environment describes. */
export type Administer = <T>(work: (parts: OidcWork) => Promise<T>) => Promise<T>;
