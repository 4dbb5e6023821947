// The second factor: time-based one-time passwords (RFC 6238) as every authenticator app makes them.
import { Secret, TOTP } from 'otpauth';
import { Fault } from '../base/errors.ts';

/** 160 bits, as RFC 4226 recommends (section 4, R6). */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Steps to either side that a clock may be off (RFC 6238, section 5.2). */
const WINDOW_STEPS = 1;
/** Authenticator apps know no other settings for sure. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const;

/** A new secret in base32: what CONSOLE_TOTP_SECRET holds. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth://` address of the secret, for an authenticator's camera; `issuer` is the name it is shown under. */
export function totpAddress(secret: string, issuer: string): string {
  return totpOf(secret, issuer).toString();
}

/** The number of the time step since 1970 whose code this is, at most one from now; null where it is none's. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const delta = stepsOff(secret, code, now, WINDOW_STEPS);
  return delta === null ? null : stepAt(now) + delta;
}

/** By how much the clock behind the code is ahead of `now`, to half a minute; null beyond ten minutes, or no code of ours. */
export function secondsAhead(secret: string, code: string, now: Date): number | null {
  const delta = stepsOff(secret, code, now, 600 / PERIOD_SECONDS);
  return delta === null ? null : delta * PERIOD_SECONDS;
}

function stepsOff(secret: string, code: string, now: Date, window: number): number | null {
  return totpOf(secret).validate({ token: code.replaceAll(' ', ''), timestamp: now.getTime(), window });
}

/** The number of the time step of this moment. */
export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / PERIOD_SECONDS);
}

/** @throws Fault CONFIG_INVALID for a secret that is no base32 or too short to keep a secret */
function totpOf(secret: string, issuer = 'Likeness'): TOTP {
  try {
    const bytes = Secret.fromBase32(secret);
    if (bytes.bytes.length < 16) throw new TypeError('too short');
    return new TOTP({ ...SETTINGS, issuer, label: 'operator', secret: bytes });
  } catch (cause) {
    throw new Fault('CONFIG_INVALID', 'CONSOLE_TOTP_SECRET must be at least 128 bits in base32', { cause });
  }
}
