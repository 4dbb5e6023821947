// Sessions of the console: a random token in a cookie, sealed with the credentials in force, its hash in the database, and
// a second token against forged calls.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { newId } from '../base/ids.ts';
import { areEqualSecrets, hashSecret } from '../base/secrets.ts';

/** A working day, and half an hour without anybody at the page (NIST SP 800-63B-3, 4.2.3). */
const LIFE_HOURS = 12;
const IDLE_MINUTES = 30;
const RANDOM_BYTES = 32;
const MAC_BYTES = 16;

/** The session table (src/storage), by the database's clock. */
export interface SessionStore {
  insert(session: { id: string; tokenHash: Buffer }, lifeHours: number): Promise<void>;
  /** The id of a session that is neither over nor idle too long; notes its use where `isUse`. */
  find(tokenHash: Buffer, idleMinutes: number, isUse: boolean): Promise<string | null>;
  remove(tokenHash: Buffer): Promise<void>;
  removeAll(): Promise<void>;
}

export interface Sessions {
  /** A new session: the token is for the cookie, the id for the audit log. */
  open(): Promise<{ id: string; token: string }>;
  /**
   * The id of an open session; null where it is over, idle too long, or was opened with other credentials than are in
   * force. `isUse`: somebody did something; a page that reads again by itself keeps no session open.
   */
  find(token: string, isUse: boolean): Promise<string | null>;
  close(token: string): Promise<void>;
  /** Signs everybody out. */
  closeAll(): Promise<void>;
}

/**
 * `credentialKey`: with another password or second factor every token is refused, and a made-up one never costs a query.
 */
export function createSessions(store: SessionStore, credentialKey: Buffer): Sessions {
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
    find: async (token, isUse) => (isOurs(token) ? store.find(hashSecret(token), IDLE_MINUTES, isUse) : null),
    close: (token) => store.remove(hashSecret(token)),
    closeAll: () => store.removeAll(),
  };
}

/** What a changing call must carry beside the cookie: only a page that could read our answers knows it. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(given: string, sessionToken: string): boolean {
  return areEqualSecrets(Buffer.from(given), Buffer.from(csrfTokenOf(sessionToken)));
}
