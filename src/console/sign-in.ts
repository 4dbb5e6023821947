// Signing in: password and, where one is set up, the code of the second factor. Which of the two was wrong is not to be
// told from the answer or its time.
import type { Clock } from '../base/clock.ts';
import { createPasswordCheck, type verifyPassword } from './password.ts';
import { stepAt, stepOfCode } from './totp.ts';

/** Time steps whose code was used (src/storage): each works once, in whichever process. */
export interface UsedCodes {
  /** Uses up the step where `isRight`; false where it was used before, or is not right. Takes as long either way. */
  claim(step: number, isRight: boolean): Promise<boolean>;
}

export type SignInOutcome =
  | { readonly status: 'right' }
  /** `knewPassword` is for the audit log alone. */
  | { readonly status: 'wrong'; readonly knewPassword: boolean }
  /** Too many are being checked. */
  | { readonly status: 'busy' };

export interface SignIn {
  /** Whether a code is asked for. */
  readonly needsCode: boolean;
  /** `isKnownBrowser`: it has signed in before; it finds a place when strangers have taken theirs. */
  attempt(
    given: { readonly password: string; readonly code?: string | undefined },
    isKnownBrowser: boolean,
  ): Promise<SignInOutcome>;
}

export function createSignIn(parts: {
  /** Of {@link asHash}. */
  readonly passwordHash: string;
  /** Null: the password alone. */
  readonly totpSecret: string | null;
  readonly usedCodes: UsedCodes;
  readonly clock: Clock;
  readonly verify?: typeof verifyPassword;
}): SignIn {
  const { passwordHash, totpSecret, usedCodes, clock, verify } = parts;
  // A secret that cannot be read stops the start, not the first sign-in.
  if (totpSecret !== null) stepOfCode(totpSecret, '', clock.now());
  const checkPassword = createPasswordCheck(passwordHash, verify);
  return {
    needsCode: totpSecret !== null,
    attempt: async ({ password, code = '' }, isKnownBrowser) => {
      const now = clock.now();
      const knewPassword = await checkPassword(password, isKnownBrowser);
      if (knewPassword === 'busy') return { status: 'busy' };
      if (totpSecret === null) return knewPassword ? { status: 'right' } : { status: 'wrong', knewPassword };
      const step = stepOfCode(totpSecret, code, now);
      const isRight = await usedCodes.claim(step ?? stepAt(now), knewPassword && step !== null);
      return isRight ? { status: 'right' } : { status: 'wrong', knewPassword };
    },
  };
}
