// Face check before a payment, by OpenID Connect. Beside `OIDC=on npm start`, with a client (docs/guides/login.md) for
// the redirect URI http://127.0.0.1:4004/checked: OIDC_CLIENT_ID=… OIDC_CLIENT_SECRET=… node examples/step-up/login.js
import { createServer } from 'node:http';
import * as oidc from 'openid-client';

const { OIDC_ISSUER = 'http://127.0.0.1:8080/oidc', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET } = process.env;
const port = Number(process.env.PORT ?? 4004);
const redirectUri = `http://127.0.0.1:${port}/checked`;
// Plain http is acceptable only on this machine; omit `execute` for an https issuer.
const likeness = await oidc.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
  execute: [oidc.allowInsecureRequests],
});
const ada = { sub: '', expected: {} }; // signing in is up to the app: everyone is Ada

/** @param {import('node:http').ServerResponse} response */
async function ask(response) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
  ada.expected = { pkceCodeVerifier, expectedState, expectedNonce };
  const url = await oidc.buildAuthorizationUrlWithPAR(likeness, {
    redirect_uri: redirectUri,
    scope: 'openid',
    login_hint: 'ada',
    max_age: '0',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge_method: 'S256',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    // Requires a face check, even of a person who is being enrolled by this login.
    claims: JSON.stringify({ id_token: { amr: { essential: true, values: ['face'] } } }),
  });
  response.writeHead(303, { location: url.href }).end();
}

createServer(async ({ method, url }, response) => {
  const page = (/** @type {string} */ text) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<!doctype html><title>Shop</title>${text}`);
  try {
    if (method === 'POST' && url === '/pay') await ask(response);
    else if (url?.startsWith('/checked?')) {
      const tokens = await oidc.authorizationCodeGrant(likeness, new URL(url, redirectUri), ada.expected);
      const claims = tokens.claims();
      ada.sub ||= claims?.sub ?? '';
      const passed = claims?.acr === 'urn:likeness:face' && claims.sub === ada.sub;
      page(passed ? 'Paid. Thank you, Ada.' : 'Nothing was charged.');
    } else page('<form method="post" action="/pay"><button>Pay 249</button></form>');
  } catch (error) {
    console.error(error);
    page('Nothing was charged.');
  }
}).listen(port, '127.0.0.1', () => console.log(`step-up ready on http://127.0.0.1:${port}`));
