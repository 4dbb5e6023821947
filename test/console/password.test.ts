// The operator's password as a scrypt hash.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asHash,
  createPasswordCheck,
  deriveCredentialKey,
  hashPassword,
  verifyPassword,
} from '../../src/console/password.ts';
import { csrfTokenOf, isCsrfToken } from '../../src/console/sessions.ts';

describe('the console password', () => {
  it('is accepted from any keyboard, and a different one is not', async () => {
    const hash = await hashPassword('Blåbærgrød på 12');
    expect(hash).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword('Blåbærgrød på 12', hash)).toBe(true);
    expect(await verifyPassword('Blåbærgrød på 12'.normalize('NFD'), hash)).toBe(true);
    expect(await verifyPassword('Blåbærgrød på 13', hash)).toBe(false);
    expect(await hashPassword('Blåbærgrød på 12')).not.toBe(hash);
  });

  it('can be configured as its hash, and a broken hash accepts nothing', async () => {
    const hash = await hashPassword('a long enough password');
    expect(await asHash(hash)).toBe(hash);
    expect(await verifyPassword('a long enough password', await asHash('a long enough password'))).toBe(true);
    for (const broken of ['scrypt$', 'scrypt$$', hash.slice(0, -2), `${hash}AA`]) {
      expect(await verifyPassword('a long enough password', broken)).toBe(false);
      await expect(asHash(broken)).rejects.toThrow(/CONSOLE_PASSWORD/);
    }
  });
});

describe('password checks', () => {
  /** A check whose results come when the test says so. */
  function createSlowCheck() {
    const ends: ((isRight: boolean) => void)[] = [];
    const asked: string[] = [];
    const check = createPasswordCheck('hash', (password) => {
      asked.push(password);
      if (password === 'fault') return Promise.reject(new Error('no memory'));
      return new Promise((done) => ends.push(done));
    });
    return { check, ends, asked };
  }
  const turn = () => new Promise((done) => setImmediate(done));

  it('run one after the other, in order, even after a failure', async () => {
    const { check, ends, asked } = createSlowCheck();
    const answers = [check('one'), check('fault'), check('two')];
    answers[1]!.catch(() => {});
    await turn();
    expect(asked).toEqual(['one']);
    ends[0]!(true);
    expect(await answers[0]).toBe(true);
    await expect(answers[1]).rejects.toThrow('no memory');
    await turn();
    expect(asked).toEqual(['one', 'fault', 'two']);
    ends[1]!(false);
    expect(await answers[2]).toBe(false);
  });

  it('have few places to wait', async () => {
    const { check, ends, asked } = createSlowCheck();
    const answers = Array.from({ length: 40 }, (_, index) => check(`guess ${index}`));
    expect(new Set(await Promise.all(answers.slice(16)))).toEqual(new Set(['busy']));
    for (let index = 0; index < 16; index++) {
      await turn();
      expect(asked).toHaveLength(index + 1);
      ends[index]!(false);
    }
    expect(new Set(await Promise.all(answers.slice(0, 16)))).toEqual(new Set([false]));
    const next = check('next');
    await turn();
    ends[16]!(true);
    expect(await next).toBe(true);
  });
});

describe('the key of the credentials', () => {
  it('is the same in every process, and differs for every password and second factor', async () => {
    const key = await deriveCredentialKey('a long enough password', null);
    expect(await deriveCredentialKey('a long enough password', null)).toEqual(key);
    expect(await deriveCredentialKey('another long password', null)).not.toEqual(key);
    expect(await deriveCredentialKey('a long enough password', 'JBSWY3DPEHPK3PXP')).not.toEqual(key);
  });
});

describe('the CSRF token', () => {
  it('belongs to one session', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (session, other) => {
        expect(isCsrfToken(csrfTokenOf(session), session)).toBe(true);
        fc.pre(session !== other);
        expect(isCsrfToken(csrfTokenOf(other), session)).toBe(false);
        expect(isCsrfToken(other, session)).toBe(false);
      }),
    );
  });
});
