// A login below a path, in a real browser.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn } from '../../../oidc/support/log-in.ts';
import { createOidcRig, type OidcRig } from '../../../oidc/support/oidc-rig.ts';
import { requestsOf } from '../../../oidc/support/requests.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { openPage, press, untilScreen } from '../../../web/support/browser.ts';

let rig: OidcRig;
let browser: Browser;
beforeAll(async () => {
  [rig, browser] = await Promise.all([createOidcRig({}, { path: '/faces' }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});

describe('a BASE_URL with a path', () => {
  it('takes a real browser to the page and back to the client', async () => {
    const own = createServer((_request, answer) => answer.end('the client')).listen(0, '127.0.0.1');
    await once(own, 'listening');
    const redirect_uri = `http://127.0.0.1:${(own.address() as AddressInfo).port}/callback`;
    const rp = await rig.addClient({ redirectUris: [redirect_uri] });
    await logIn(rig, await rig.relyingParty(rp.id, rp.secret), { params: { redirect_uri } });
    const { page, context, logged } = await openPage(browser, 'face');
    // It may be fetched as soon as the page is idle.
    const guidance = page.waitForResponse((answer) =>
      answer.url().includes('/faces/assets/capture/guidance-'),
    );
    await page.goto(`${rig.issuer}/auth?${requestsOf(rig, rp).request({ redirect_uri })}`);
    await untilScreen(page, 'privacy');
    expect(new URL(page.url()).pathname).toMatch(/^\/faces\/c\//);
    await press(page, 'agree');
    await untilScreen(page, 'position');
    expect((await guidance).status()).toBe(200);
    await page.goto(`${rig.issuer}/auth?${requestsOf(rig, rp).request({ redirect_uri })}`);
    await press(page, 'decline');
    await page.waitForURL(`${redirect_uri}**`);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    expect(logged).toEqual([]);
    await context.close();
    own.close();
  });
});
