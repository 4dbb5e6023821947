// A login with the person's device, in a real browser: the capture page makes the passkey at the first login, and signs
// with it at the second, by Chromium's own authenticator.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestLogin, tokensOf } from '../../../oidc/support/log-in.ts';
import { createOidcRig, type OidcRig } from '../../../oidc/support/oidc-rig.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { plugIn } from '../../../web/support/authenticator.ts';
import { openPage, press, untilScreen } from '../../../web/support/browser.ts';

/** The face of these tests does not smile: the page waits as long as it may. */
const RECORDED_MS = 60_000;

let rig: OidcRig;
let browser: Browser;
beforeAll(async () => {
  [rig, browser] = await Promise.all([createOidcRig({}, { host: 'localhost' }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});

it.each([
  ['stays in its device', {}, 'hwk', false],
  ['is synchronised to others', { defaultBackupEligibility: true, defaultBackupState: true }, 'swk', true],
] as const)(
  'a login makes a passkey the first time, and is bound to it the second time; it %s',
  async (_, kind, key, backedUp) => {
    const shop = createServer((_request, answer) => answer.end('the client')).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    const redirect_uri = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/callback`;
    const { id, secret } = await rig.addClient({ redirectUris: [redirect_uri], deviceBinding: 'require' });
    const rp = await rig.relyingParty(id, secret);
    const { page, logged } = await openPage(browser, 'face');
    await plugIn(page, kind);
    const logIn = async (action: string) => {
      const { address, ...kept } = await requestLogin(rp, { params: { redirect_uri } });
      await page.goto(address.href);
      await untilScreen(page, 'privacy');
      await press(page, 'agree');
      await untilScreen(page, 'device', RECORDED_MS);
      await press(page, action);
      await expect.poll(() => submitted()).toBe(1);
      await rig.judge('same');
      await page.waitForURL(`${redirect_uri}**`);
      return (await tokensOf(rp, { ...kept, url: page.url() })).claims();
    };
    const bound = { status: 'bound', backed_up: backedUp };
    const enrolled = await logIn('add-device');
    expect(enrolled).toMatchObject({ acr: 'urn:likeness:enrolment', amr: [] });
    expect(await lastDeviceResult()).toMatchObject(bound);
    expect(await logIn('confirm-device')).toMatchObject({
      acr: 'urn:likeness:face_and_device',
      amr: ['face', key, 'user'],
      sub: enrolled!.sub,
    });
    expect(await lastDeviceResult()).toMatchObject(bound);
    expect(logged).toEqual([]);
    await page.context().close();
    shop.close();
  },
  240_000,
);

/** `device_result` of the last challenge, as the account's server reads it. */
async function lastDeviceResult() {
  const headers = { authorization: `Basic ${rig.apiKey}` };
  const read = async (below: string) =>
    (await fetch(`${rig.baseUrl}/v1/challenges${below}`, { headers })).json();
  const [last] = (await read('?limit=1')).data;
  return (await read(`/${last.challenge_id}`)).device_result;
}

/** How many recordings wait for their judgement. */
async function submitted(): Promise<number> {
  const waiting = await rig.db.selectFrom('capture').select('id').where('state', '=', 'submitted').execute();
  return waiting.length;
}
