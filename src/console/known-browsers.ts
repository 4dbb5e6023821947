// Browsers that have signed in before. A cookie marks them, so that the operator can sign in while strangers are
// guessing (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The cookie alone gives no access.
import { createHmac } from 'node:crypto';
import { areEqualSecrets, randomSecret } from '../base/secrets.ts';

const ID_BYTES = 16;
/** How long a browser stays known after its last sign-in. */
export const KNOWN_BROWSER_DAYS = 90;

export interface KnownBrowsers {
  /** A new cookie for a browser that has just signed in. */
  issue(): string;
  /** The id of the browser that has this cookie; null if we did not issue it, or issued it under other credentials. */
  idOf(cookie: string): string | null;
}

/** `credentialKey`: after a change of the password or second factor, no browser is known. */
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
