// Browsers that have signed in before: a cookie says so, and lets the operator in while strangers guess
// (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). It opens nothing by itself.
import { createHmac } from 'node:crypto';
import { areEqualSecrets, randomSecret } from '../base/secrets.ts';

const ID_BYTES = 16;
/** How long a browser stays known after its last sign-in. */
export const KNOWN_FOR_DAYS = 90;

export interface KnownBrowsers {
  /** The cookie of a browser that has just signed in. */
  issue(): string;
  /** Which browser the cookie is of; null where it is none of ours, or of other credentials. */
  idOf(cookie: string): string | null;
}

/** `credentialKey`: with another password or second factor no browser is known. */
export function createKnownBrowsers(credentialKey: Buffer): KnownBrowsers {
  const sign = (id: string): Buffer =>
    createHmac('sha256', credentialKey).update(`known browser\0${id}`).digest();
  return {
    issue: () => {
      const id = randomSecret(ID_BYTES);
      return `${id}.${sign(id).toString('base64url')}`;
    },
    idOf: (cookie) => {
      const [id = '', signature = ''] = cookie.split('.');
      const [wanted, given] = [sign(id), Buffer.from(signature, 'base64url')];
      return areEqualSecrets(given, wanted) ? id : null;
    },
  };
}
