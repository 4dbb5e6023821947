// A login from the client's request to its redirect URI, as a browser performs it.
import * as client from 'openid-client';
import { type CookieBrowser, type Face, type OidcRig, PERSON, REDIRECT_URI } from './oidc-rig.ts';

/** Takes a login to the client's redirect URI; returns that address. */
export async function logIn(
  rig: OidcRig,
  rp: client.Configuration,
  options: {
    params?: Record<string, string>;
    faces?: readonly Face[];
    browser?: CookieBrowser;
    par?: boolean;
  } = {},
) {
  const { params = {}, faces = ['same'], browser = rig.browser(), par = true } = options;
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
  const url = par
    ? await client.buildAuthorizationUrlWithPAR(rp, all)
    : client.buildAuthorizationUrl(rp, all);
  let at = await browser.follow(url.href);
  const interaction = interactionOf(browser, rig);
  for (const face of faces) {
    if (!at.url.includes('/c/')) break;
    await rig.capture(browser, at.url, face);
    at = await browser.follow(interaction);
  }
  return { ...at, browser, verifier, state, nonce, interaction };
}

/** Where the capture page leads: the latest interaction for which the browser has a cookie, or an empty string. */
function interactionOf(browser: CookieBrowser, rig: OidcRig): string {
  const key = [...browser.cookies.keys()].findLast((each) => each.startsWith('likeness_login '));
  return key ? new URL(key.split(' ')[1]!, rig.baseUrl).href : '';
}

/** The client's exchange of the returned code for tokens. */
export const tokensOf = (rp: client.Configuration, login: Awaited<ReturnType<typeof logIn>>) =>
  client.authorizationCodeGrant(rp, new URL(login.url), {
    pkceCodeVerifier: login.verifier,
    expectedState: login.state,
    expectedNonce: login.nonce,
  });
