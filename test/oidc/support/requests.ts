// Hand-written requests by an attacker, which must lead nowhere. The library and the standards determine the error of
// each refusal.
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type CookieBrowser, type OidcRig, PERSON, REDIRECT_URI } from './oidc-rig.ts';

export const VERIFIER = 'a'.repeat(64);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

/** Undefined: the parameter is left out. */
export type Params = Readonly<Record<string, string | undefined>>;
/** A case of a table: what is wrong with it, and its parameters. */
export type Case = readonly [string, () => Params];
export type Credentials = { readonly id: string; readonly secret: string | null };

export const basic = ({ id, secret }: Credentials) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** @param rp the client that makes the requests by default */
export function requestsOf(rig: OidcRig, rp: Credentials) {
  const request = (changes: Params = {}): URLSearchParams => {
    const all: Params = {
      client_id: rp.id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 's',
      login_hint: PERSON,
      ...changes,
    };
    return new URLSearchParams(given(all));
  };
  const authorize = (params: URLSearchParams, browser: CookieBrowser = rig.browser()) =>
    browser.follow(`${rig.issuer}/auth?${params}`);
  const post = (path: string, form: Params | URLSearchParams, headers: object = {}) =>
    rig.browser().fetch(`${rig.issuer}${path}`, {
      method: 'POST',
      form: form instanceof URLSearchParams ? form : Object.fromEntries(given(form)),
      headers: { accept: 'application/json', ...headers },
    });
  return {
    request,
    authorize,
    post,
    /** Expects a refusal: an error here, or one sent to the client's registered address. */
    async expectRefusal({ url, answer }: { url: string; answer: Response }): Promise<void> {
      const { origin, pathname, searchParams, hash } = new URL(url);
      const fragment = new URLSearchParams(hash.slice(1));
      expect(url).not.toContain('/c/');
      for (const params of [searchParams, fragment]) {
        const gained = ['code', 'id_token', 'access_token'].map((name) => params.get(name));
        expect(gained).toEqual([null, null, null]);
      }
      if (origin === new URL(rig.baseUrl).origin) expect(answer.status).toBeGreaterThanOrEqual(400);
      else {
        expect(`${origin}${pathname}`).toBe(REDIRECT_URI);
        expect(searchParams.get('error') ?? fragment.get('error')).toBeTruthy();
      }
    },
    /** Expects the token endpoint to give nothing. */
    async expectNoTokens(form: Params, headers: object = basic(rp)): Promise<void> {
      const answer = await post('/token', form, headers);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await answer.text()).not.toContain('id_token');
    },
  };
}

/** What the client sends to redeem a code of {@link VERIFIER}. */
export const grant = (code: string, changes: Params = {}): Params => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: REDIRECT_URI,
  code_verifier: VERIFIER,
  ...changes,
});

const given = (params: Params): [string, string][] =>
  Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
