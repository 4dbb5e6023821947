// The operator's password: configured in the clear or as a hash, kept and compared only as a scrypt hash (RFC 7914),
// one guess at a time.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Fault } from '../base/errors.ts';

const PREFIX = 'scrypt$';
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** 32 MiB and about 100 ms for each guess (OWASP's recommendation of 2^15, r 8, with p 3). */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };

/** Most guesses that may wait for their turn: about two seconds of work. */
const MAX_WAITING = 16;

/** `scrypt$SALT$HASH`, both base64url. CONSOLE_PASSWORD may hold this in place of the password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${PREFIX}${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

/** Whether the password matches the hash; takes the same time either way. False if `hash` is not a hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [salt, expected] = hash.slice(PREFIX.length).split('$');
  const wanted = Buffer.from(expected ?? '', 'base64url');
  if (!hash.startsWith(PREFIX) || wanted.length !== HASH_BYTES) return false;
  return timingSafeEqual(await derive(password, Buffer.from(salt ?? '', 'base64url')), wanted);
}

/**
 * The configured value as a hash.
 * @throws Fault CONFIG_INVALID for a value that begins like a hash but is none: nobody could ever sign in
 */
export async function asHash(configured: string): Promise<string> {
  if (!configured.startsWith(PREFIX)) return hashPassword(configured);
  if (!/^scrypt\$[\w-]{22}\$[\w-]{43}$/.test(configured)) {
    throw new Fault(
      'CONFIG_INVALID',
      'CONSOLE_PASSWORD begins like a hash but is not a valid one: it may have been cut off',
    );
  }
  return configured;
}

/**
 * Makes a function that checks passwords against the hash, one at a time. scrypt occupies a thread of libuv's pool, and
 * sixty concurrent checks would block everybody else's files and seals until they are done. `busy`: too many are
 * waiting.
 */
export function createPasswordCheck(
  hash: string,
  verify: typeof verifyPassword = verifyPassword,
): (password: string) => Promise<boolean | 'busy'> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (password) => {
    if (waiting >= MAX_WAITING) return 'busy';
    waiting += 1;
    const turn = last.then(() => verify(password, hash));
    last = turn.catch(() => {});
    return turn.finally(() => {
      waiting -= 1;
    });
  };
}

/**
 * A key that every process with the same password and second factor derives, and nobody else. Whatever depends on the
 * credentials is therefore worthless once they change. The key is stored nowhere.
 */
export function deriveCredentialKey(password: string, totpSecret: string | null): Promise<Buffer> {
  return derive(JSON.stringify([password, totpSecret]), Buffer.from('likeness console credential v1'));
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((done, refuse) => {
    // NFKC, so that the same password typed on another keyboard matches (NIST SP 800-63B-3, 5.1.1.2).
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, COST, (error, key) =>
      error ? refuse(error) : done(key),
    );
  });
}
