// Who uses the console.
import type { ConsolePerson, ConsoleRole } from '../contract/console.ts';

/** Whom an OpenID Provider vouches for. */
export interface OpenidPerson {
  /** Id of the settings under which they signed in. */
  readonly openidId: string;
  readonly subject: string;
  readonly name: string;
}

/** Who opens a session. */
export interface SignedIn {
  readonly role: ConsoleRole;
  /** Null for anybody who has the shared password. */
  readonly openid: OpenidPerson | null;
}

/** Who a session belongs to. */
export interface Operator extends ConsolePerson {
  /** The session's id, for the audit log. */
  readonly id: string;
}
