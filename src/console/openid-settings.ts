// How the console's people sign in by OpenID Connect: what `likeness console openid set` has stored.
import { CONSOLE_ROLES, type ConsoleRole } from '../contract/console.ts';

export interface OpenidSettings {
  /** On the button of the sign-in page. */
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Where browsers find the console, without `/console`. */
  readonly console_url: string;
  readonly scope: string;
  /** Claim of the ID token that holds a role's value, or a list of them. */
  readonly roles_claim: string;
  /** Values of the claim that give each role. */
  readonly roles: Readonly<Record<ConsoleRole, readonly string[]>>;
}

/** Settings in force; each change has an id of its own. */
export interface OpenidInForce extends OpenidSettings {
  readonly id: string;
}

/** The highest role that the claim gives; null if it gives none. */
export function roleOf(
  claims: Readonly<Record<string, unknown>>,
  { roles, roles_claim }: Pick<OpenidSettings, 'roles' | 'roles_claim'>,
): ConsoleRole | null {
  const given = Object.hasOwn(claims, roles_claim) ? [claims[roles_claim]].flat() : [];
  return CONSOLE_ROLES.findLast((role) => roles[role].some((value) => given.includes(value))) ?? null;
}
