// Sessions of the console: a random token in a cookie, authenticated with a MAC under the current credentials, its hash
// in the database, and a CSRF token.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { newId } from '../base/ids.ts';
import { areEqualSecrets, hashSecret } from '../base/secrets.ts';
import type { ConsoleSessionStore } from './tables/session-store.ts';

/** A working day, and half an hour of inactivity (NIST SP 800-63B-3, 4.2.3). */
const LIFE_HOURS = 12;
const IDLE_MINUTES = 30;
const RANDOM_BYTES = 32;
const MAC_BYTES = 16;

export interface Sessions {
  /** Opens a session: the token is for the cookie, the id for the audit log. */
  open(): Promise<{ id: string; token: string }>;
  /**
   * The id of an open session; null if it is expired, idle for too long, or was opened under other credentials than the
   * current ones. `isActivity`: the operator did something. A page that refreshes itself does not keep a session open.
   */
  find(token: string, isActivity: boolean): Promise<string | null>;
  close(token: string): Promise<void>;
  /** Signs everybody out. */
  closeAll(): Promise<void>;
}

/**
 * `credentialKey`: after a change of the password or second factor every token is refused. A forged token never costs a
 * query.
 */
export function createSessions(store: ConsoleSessionStore, credentialKey: Buffer): Sessions {
  const macOf = (random: Buffer): Buffer =>
    createHmac('sha256', credentialKey).update('session\0').update(random).digest().subarray(0, MAC_BYTES);
  const isOurs = (token: string): boolean => {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== RANDOM_BYTES + MAC_BYTES) return false;
    return timingSafeEqual(macOf(bytes.subarray(0, RANDOM_BYTES)), bytes.subarray(RANDOM_BYTES));
  };
  return {
    open: async () => {
      const random = randomBytes(RANDOM_BYTES);
      const token = Buffer.concat([random, macOf(random)]).toString('base64url');
      const id = newId('operatorSession');
      await store.insert({ id, tokenHash: hashSecret(token) }, LIFE_HOURS);
      return { id, token };
    },
    find: async (token, isActivity) =>
      isOurs(token) ? store.find(hashSecret(token), IDLE_MINUTES, isActivity) : null,
    close: (token) => store.remove(hashSecret(token)),
    closeAll: () => store.removeAll(),
  };
}

/** The CSRF token that a changing call must send with the cookie. Only a page that can read our answers knows it. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(given: string, sessionToken: string): boolean {
  return areEqualSecrets(Buffer.from(given), Buffer.from(csrfTokenOf(sessionToken)));
}
