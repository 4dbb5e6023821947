// The session that a page is shown in: its access to the service, and what its role may do.
import { createContext, useContext } from 'react';
import { CONSOLE_ROLES, type ConsoleRole } from '../../../src/contract/console.ts';
import type { Api } from './api.ts';

/** Holds the access of the session; null outside of one. */
export const SignedIn = createContext<Api | null>(null);

/** Access to the service, for whatever is shown to somebody who has signed in. */
export function useApi(): Api {
  return useContext(SignedIn)!;
}

/** Why the session's role may not do what `needs` another; null if it may. */
export function useRefusal(needs: ConsoleRole): string | null {
  const { role } = useApi().session.person;
  if (CONSOLE_ROLES.indexOf(role) >= CONSOLE_ROLES.indexOf(needs)) return null;
  return `Only for the role ${needs}. Yours is ${role}.`;
}
