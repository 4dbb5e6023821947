// Sessions of the console: a random token in a cookie, its hash in the database, and a second token against forged calls.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A working day; idle ones end sooner. */
const LIFE_HOURS = 12;
const IDLE_MINUTES = 60;

/** The session table (src/storage), by the database's clock. */
export interface SessionStore {
  insert(tokenHash: Buffer, lifeHours: number): Promise<void>;
  /** Notes the use of a session that is neither over nor idle too long; false for any other. */
  touch(tokenHash: Buffer, idleMinutes: number): Promise<boolean>;
  remove(tokenHash: Buffer): Promise<void>;
}

export interface Sessions {
  /** A new session's token, for the cookie. */
  open(): Promise<string>;
  isOpen(token: string): Promise<boolean>;
  close(token: string): Promise<void>;
}

export function createSessions(store: SessionStore): Sessions {
  return {
    open: async () => {
      const token = randomBytes(32).toString('base64url');
      await store.insert(hashToken(token), LIFE_HOURS);
      return token;
    },
    isOpen: (token) => store.touch(hashToken(token), IDLE_MINUTES),
    close: (token) => store.remove(hashToken(token)),
  };
}

/** What a changing call must carry beside the cookie: only a page that could read our answers knows it. */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url');
}

export function isCsrfToken(given: string, sessionToken: string): boolean {
  const wanted = Buffer.from(csrfTokenOf(sessionToken));
  const bytes = Buffer.from(given);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
