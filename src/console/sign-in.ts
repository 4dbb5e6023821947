// Signing in: the password and, if set up, the code of the second factor. Neither the answer nor its timing tells which
// of the two was wrong.
import type { Clock } from '../base/clock.ts';
import { createPasswordCheck, type verifyPassword } from './password.ts';
import type { UsedCodes } from './tables/session-store.ts';
import { stepAt, stepOfCode } from './totp.ts';

export type SignInOutcome =
  | { readonly status: 'right' }
  /** `knewPassword` is only for the audit log. */
  | { readonly status: 'wrong'; readonly knewPassword: boolean }
  /** Too many attempts are waiting. */
  | { readonly status: 'busy' };

export interface SignIn {
  /** Whether a code is required. */
  readonly needsCode: boolean;
  attempt(given: { readonly password: string; readonly code?: string | undefined }): Promise<SignInOutcome>;
}

export function createSignIn(parts: {
  /** From {@link asHash}. */
  readonly passwordHash: string;
  /** Null: only the password is required. */
  readonly totpSecret: string | null;
  readonly usedCodes: UsedCodes;
  readonly clock: Clock;
  readonly verify?: typeof verifyPassword;
}): SignIn {
  const { passwordHash, totpSecret, usedCodes, clock, verify } = parts;
  // An invalid secret must fail at start, not at the first sign-in.
  if (totpSecret !== null) stepOfCode(totpSecret, '', clock.now());
  const checkPassword = createPasswordCheck(passwordHash, verify);
  return {
    needsCode: totpSecret !== null,
    attempt: async ({ password, code = '' }) => {
      const now = clock.now();
      const knewPassword = await checkPassword(password);
      if (knewPassword === 'busy') return { status: 'busy' };
      if (totpSecret === null) return knewPassword ? { status: 'right' } : { status: 'wrong', knewPassword };
      const step = stepOfCode(totpSecret, code, now);
      const isRight = await usedCodes.claim(step ?? stepAt(now), knewPassword && step !== null);
      return isRight ? { status: 'right' } : { status: 'wrong', knewPassword };
    },
  };
}
