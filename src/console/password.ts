// The operator's password: given in clear or as its hash, kept and compared as a scrypt hash only (RFC 7914), one guess at
// a time.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Fault } from '../base/errors.ts';

const PREFIX = 'scrypt$';
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** 32 MiB and about 100 ms for each guess (OWASP's recommendation of 2^15, r 8, with p 3). */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };

/** Guesses that may wait for their turn: two seconds of them. */
const MAX_WAITING = 16;
/** Of those places, the ones reserved for browsers that have signed in before. */
const KEPT_FREE = 4;

/** `scrypt$SALT$HASH`, both base64url: what CONSOLE_PASSWORD may hold in place of the password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${PREFIX}${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

/** Whether the password is the one behind the hash; takes the same time either way. False for what is no hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [salt, expected] = hash.slice(PREFIX.length).split('$');
  const wanted = Buffer.from(expected ?? '', 'base64url');
  if (!hash.startsWith(PREFIX) || wanted.length !== HASH_BYTES) return false;
  return timingSafeEqual(await derive(password, Buffer.from(salt ?? '', 'base64url')), wanted);
}

/**
 * The configured value as a hash.
 * @throws Fault CONFIG_INVALID for what begins as a hash and is none: nobody could ever sign in
 */
export async function asHash(configured: string): Promise<string> {
  if (!configured.startsWith(PREFIX)) return hashPassword(configured);
  if (!/^scrypt\$[\w-]{22}\$[\w-]{43}$/.test(configured)) {
    throw new Fault('CONFIG_INVALID', 'CONSOLE_PASSWORD begins as a hash and is none: it may have been cut');
  }
  return configured;
}

/**
 * Checks passwords against the hash one after the other: scrypt holds a thread of libuv's pool, and sixty at once would
 * keep the files and seals of everybody else waiting for as long as they last. `busy`: too many wait already.
 */
export function createPasswordCheck(
  hash: string,
  verify: typeof verifyPassword = verifyPassword,
): (password: string, isKnownBrowser: boolean) => Promise<boolean | 'busy'> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (password, isKnownBrowser) => {
    if (waiting >= (isKnownBrowser ? MAX_WAITING : MAX_WAITING - KEPT_FREE)) return 'busy';
    waiting += 1;
    const turn = last.then(() => verify(password, hash));
    last = turn.catch(() => {});
    return turn.finally(() => {
      waiting -= 1;
    });
  };
}

/**
 * A key that every process with the same password and second factor derives, and nobody else: what hangs on the
 * credentials is worthless when they change. It is stored nowhere.
 */
export function deriveCredentialKey(password: string, totpSecret: string | null): Promise<Buffer> {
  return derive(JSON.stringify([password, totpSecret]), Buffer.from('likeness console credential v1'));
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((done, refuse) => {
    // NFKC: the same password from another keyboard is the same (NIST SP 800-63B 5.1.1.2).
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (error, key) =>
      error ? refuse(error) : done(key),
    );
  });
}
