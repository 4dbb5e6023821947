// Sessions of the console: a random token in a cookie, authenticated with a MAC under the current credentials, its hash
// in the database, and a CSRF token.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { newId } from '../base/ids.ts';
import { areEqualSecrets, hashSecret } from '../base/secrets.ts';
import type { OpenidPerson, Operator, SignedIn } from './people.ts';
import type { ConsoleSessionStore } from './tables/session-store.ts';

/** A working day, and half an hour of inactivity (NIST SP 800-63B-3, 4.2.3). */
const LIFE_HOURS = 12;
const IDLE_MINUTES = 30;
const RANDOM_BYTES = 32;
const MAC_BYTES = 16;

export interface Sessions {
  /**
   * Opens a session: the token is for the cookie, the id for the audit log. Null if the settings under which the person
   * signed in were replaced meanwhile.
   */
  open(signedIn: SignedIn): Promise<{ id: string; token: string } | null>;
  /**
   * Who has an open session; null if it is expired, idle for too long, or was opened under other credentials than the
   * current ones. `isActivity`: the operator did something. A page that refreshes itself does not keep a session open.
   */
  find(token: string, isActivity: boolean): Promise<Operator | null>;
  close(token: string): Promise<void>;
  /** Ends the sessions of a person whose role has gone. */
  closeOf(person: OpenidPerson): Promise<void>;
  /** Signs everybody out. */
  closeAll(): Promise<void>;
}

/** What authenticates a token. A forged one never costs a query. */
export interface SessionKeys {
  /** After a change of the password or second factor every token is refused. Null without a password. */
  readonly password: Buffer | null;
  /** The settings of OpenID Connect end their sessions in the database. */
  readonly openid: Buffer;
}

export function createSessions(store: ConsoleSessionStore, keys: SessionKeys): Sessions {
  const macOf = (key: Buffer, random: Buffer): Buffer =>
    createHmac('sha256', key).update('session\0').update(random).digest().subarray(0, MAC_BYTES);
  const isOurs = (token: string): boolean => {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== RANDOM_BYTES + MAC_BYTES) return false;
    const [random, mac] = [bytes.subarray(0, RANDOM_BYTES), bytes.subarray(RANDOM_BYTES)];
    return [keys.password, keys.openid].some((key) => key && timingSafeEqual(macOf(key, random), mac));
  };
  return {
    open: async ({ role, openid }) => {
      const random = randomBytes(RANDOM_BYTES);
      const key = openid ? keys.openid : keys.password!;
      const token = Buffer.concat([random, macOf(key, random)]).toString('base64url');
      const id = newId('operatorSession');
      const isOpen = await store.insert({ id, tokenHash: hashSecret(token), role, openid }, LIFE_HOURS);
      return isOpen ? { id, token } : null;
    },
    find: async (token, isActivity) =>
      isOurs(token) ? store.find(hashSecret(token), IDLE_MINUTES, isActivity) : null,
    close: (token) => store.remove(hashSecret(token)),
    closeOf: (person) => store.removeOf(person, null),
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
