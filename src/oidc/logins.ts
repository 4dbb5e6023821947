// A login in progress: what was requested, and the challenge that decides it. The login is bound to the library's
// interaction, and its challenge to the browser in which the login began.
import { areEqualSecrets, hashSecret, randomSecret } from '../base/secrets.ts';
import type { Custody } from '../keys/account-keys.ts';
import { PROVIDER_HOLDER } from './holder.ts';
import type { Requirements } from './requirements.ts';
import type { PersonName } from './subjects.ts';
import type { LoginStore } from './tables/records.ts';

const PURPOSE = 'oidc-login';
const BROWSER_BYTES = 32;

/** The challenge of a login. */
export interface LoginStep {
  readonly kind: 'enrol' | 'verify';
  readonly challengeId: string;
  readonly challengeUrl: string;
  /** The cookie's value; the challenge does not start without it. */
  readonly browser: string;
}

/** Sealed as JSON. */
export interface Login {
  readonly clientId: string;
  /** Null if a token of this provider named the person, by `subjectId`. */
  readonly person: PersonName | null;
  readonly subjectId: string | null;
  /** Whether only the client can have named the person: the request was pushed with authentication, or signed. */
  readonly isAuthentic: boolean;
  readonly requirements: Requirements;
  readonly step: LoginStep | null;
}

export interface Logins {
  begin(uid: string, login: Omit<Login, 'step'>, lifeSeconds: number): Promise<void>;
  find(uid: string): Promise<Login | null>;
  /** Stores the next challenge; false if another request of this login was faster. */
  advance(uid: string, from: Login, step: LoginStep): Promise<boolean>;
  /**
   * Whether a browser may take the challenge of this link. Any browser may, unless the challenge belongs to a login:
   * then only the browser where the login began. Otherwise an attacker could begin a login, send its link to the person
   * whom it names, and be logged in once that person has followed it.
   */
  mayTake(linkToken: string, cookie: string | undefined): Promise<boolean>;
}

export const newBrowserSecret = (): string => randomSecret(BROWSER_BYTES);

export function createLogins(parts: { readonly store: LoginStore; readonly custody: Custody }): Logins {
  const { store, custody } = parts;
  const rowOf = async (uid: string, login: Login) => {
    const interactionHash = hashSecret(uid);
    const value = Buffer.from(JSON.stringify(login));
    const place = interactionHash.toString('base64url');
    return {
      interactionHash,
      clientId: login.clientId,
      sealedLogin: await custody.seal(PROVIDER_HOLDER, PURPOSE, value, place),
      linkHash: login.step && linkHashOf(login.step),
      browserHash: login.step && hashSecret(login.step.browser),
    };
  };
  return {
    begin: async (uid, login, lifeSeconds) =>
      store.insert(await rowOf(uid, { ...login, step: null }), lifeSeconds),
    find: async (uid) => {
      const row = await store.find(hashSecret(uid));
      if (!row) return null;
      const place = row.interactionHash.toString('base64url');
      const bytes = await custody.open(PROVIDER_HOLDER, PURPOSE, row.sealedLogin, place);
      return JSON.parse(bytes.toString('utf8')) as Login;
    },
    advance: async (uid, from, step) =>
      store.replace(await rowOf(uid, { ...from, step }), from.step && linkHashOf(from.step)),
    mayTake: async (linkToken, cookie) => {
      const expected = await store.findBrowserOf(hashSecret(linkToken));
      return expected === null || (cookie !== undefined && areEqualSecrets(hashSecret(cookie), expected));
    },
  };
}

const linkHashOf = ({ challengeUrl }: LoginStep): Buffer => hashSecret(linkTokenOf(challengeUrl));

/** The part of a challenge's URL after /c/. */
const linkTokenOf = (challengeUrl: string): string => new URL(challengeUrl).pathname.split('/').at(-1)!;
