// The operator's password as a scrypt hash.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asHash, hashPassword, verifyPassword } from '../../src/console/password.ts';
import { csrfTokenOf, isCsrfToken } from '../../src/console/sessions.ts';

describe('the password', () => {
  it('is recognised, from any keyboard, and nothing else is', async () => {
    const hash = await hashPassword('Blåbærgrød på 12');
    expect(hash).toMatch(/^scrypt\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword('Blåbærgrød på 12', hash)).toBe(true);
    expect(await verifyPassword('Blåbærgrød på 12'.normalize('NFD'), hash)).toBe(true);
    expect(await verifyPassword('Blåbærgrød på 13', hash)).toBe(false);
    expect(await hashPassword('Blåbærgrød på 12')).not.toBe(hash);
  });

  it('may be configured as its hash, and a broken hash opens nothing', async () => {
    const hash = await hashPassword('a long enough password');
    expect(await asHash(hash)).toBe(hash);
    expect(await verifyPassword('a long enough password', await asHash('a long enough password'))).toBe(true);
    for (const broken of ['scrypt$', 'scrypt$$', hash.slice(0, -2), `${hash}AA`])
      expect(await verifyPassword('a long enough password', broken)).toBe(false);
  });
});

describe('the token against forged calls', () => {
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
