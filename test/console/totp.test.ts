// One-time passwords against the vectors of RFC 6238, and the effect of a wrong secret or code.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newTotpSecret, secondsAhead, stepAt, stepOfCode, totpAddress } from '../../src/console/totp.ts';

/** "12345678901234567890" of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** Unix seconds, and the last six of the appendix's eight digits for SHA-1. */
const VECTORS: readonly (readonly [number, string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];
const at = (seconds: number) => new Date(seconds * 1000);

describe('one-time passwords', () => {
  it.each(VECTORS)('at %i s match RFC 6238', (seconds, code) => {
    expect(stepOfCode(SECRET, code, at(seconds))).toBe(stepAt(at(seconds)));
    expect(stepAt(at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('are valid for their step and its neighbours, and name their own step', () => {
    const [seconds, code] = VECTORS[3]!;
    const step = stepAt(at(seconds));
    expect([-60, -30, 0, 30, 60].map((off) => stepOfCode(SECRET, code, at(seconds + off)))).toEqual([
      null,
      step,
      step,
      step,
      null,
    ]);
    expect(secondsAhead(SECRET, code, at(seconds + 300))).toBe(-300);
    expect(secondsAhead(SECRET, code, at(seconds + 900))).toBeNull();
  });

  it('must have six digits', () => {
    const now = at(VECTORS[0]![0]);
    expect(stepOfCode(SECRET, '287 082', now)).not.toBeNull();
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 16 }), fc.stringMatching(/^[0-9]{0,16}$/)), (code) => {
        fc.pre(code.replaceAll(' ', '').length !== 6);
        expect(stepOfCode(SECRET, code, now)).toBeNull();
      }),
    );
  });

  it('have secrets of 160 bits, which an authenticator reads from the otpauth URL', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    const address = new URL(totpAddress(secret, 'Likeness au'));
    expect(address.protocol).toBe('otpauth:');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      secret,
      issuer: 'Likeness au',
      digits: '6',
      period: '30',
      algorithm: 'SHA1',
    });
    for (const weak of ['', 'JBSWY3DPEHPK3PXP', '!!!!']) {
      expect(() => stepOfCode(weak, '000000', at(0))).toThrow('CONSOLE_TOTP_SECRET');
    }
  });
});
