// A login from the client's request to its redirect URI, as a browser performs it.
import * as client from 'openid-client';
import {
  type CookieBrowser,
  type Face,
  type OidcRig,
  PERSON,
  REDIRECT_URI,
  type Recorded,
} from './oidc-rig.ts';

interface Asked {
  readonly params?: Record<string, string>;
  /** Whether the request is pushed; default: it is. */
  readonly par?: boolean;
}

/** The client's authorization request, and what it keeps until the answer. */
export async function requestLogin(rp: client.Configuration, { params = {}, par = true }: Asked = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const all = {
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    login_hint: PERSON,
    ...params,
  };
  const address = par
    ? await client.buildAuthorizationUrlWithPAR(rp, all)
    : client.buildAuthorizationUrl(rp, all);
  return { address, verifier, state, nonce };
}

/** Takes a login to the client's redirect URI; returns that address. */
export async function logIn(
  rig: OidcRig,
  rp: client.Configuration,
  options: Asked &
    Recorded & {
      faces?: readonly Face[];
      browser?: CookieBrowser;
    } = {},
) {
  const { faces = ['same'], browser = rig.browser() } = options;
  const { address, ...kept } = await requestLogin(rp, options);
  let at = await browser.follow(address.href);
  const interaction = interactionOf(browser, rig);
  for (const face of faces) {
    if (!at.url.includes('/c/')) break;
    await rig.capture(browser, at.url, face, options);
    at = await browser.follow(interaction);
  }
  return { ...at, ...kept, browser, interaction };
}

/** Where the capture page leads: the latest interaction for which the browser has a cookie, or an empty string. */
function interactionOf(browser: CookieBrowser, rig: OidcRig): string {
  const key = [...browser.cookies.keys()].findLast((each) => each.startsWith('likeness_login '));
  return key ? new URL(key.split(' ')[1]!, rig.baseUrl).href : '';
}

/** The client's exchange of the returned code for tokens. */
export const tokensOf = (
  rp: client.Configuration,
  login: Omit<Awaited<ReturnType<typeof requestLogin>>, 'address'> & { readonly url: string },
) =>
  client.authorizationCodeGrant(rp, new URL(login.url), {
    pkceCodeVerifier: login.verifier,
    expectedState: login.state,
    expectedNonce: login.nonce,
  });
