// What a client adds to the consent text: people read it before they consent, exactly as given, and the consent refers
// to that text.
import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONSENT_TEXT_VERSION } from '../../../../src/challenge/capturing/consent-text.ts';
import { openConsent } from '../../../../src/challenge/seals.ts';
import type { CaptureState } from '../../../../src/contract/capture-page.ts';
import { readTexts } from '../../../../web/capture/build/messages.ts';
import { consentPlainText, consentText } from '../../../../web/capture/texts/consent.ts';
import { logIn, tokensOf } from '../../../oidc/support/log-in.ts';
import { createOidcRig, type OidcRig } from '../../../oidc/support/oidc-rig.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { PageClient } from '../../../support/page-client.ts';
import { openPage, press, untilScreen } from '../../../web/support/browser.ts';

const TEXT = 'Checked in Rotterdam.\n<img src=x onerror="window.hit=1"> & "quotes" \u05d0\u05d1';
const VERSION = `${CONSENT_TEXT_VERSION}+${createHash('sha256').update(TEXT).digest('hex').slice(0, 16)}`;

let rig: OidcRig;
let browser: Browser;
beforeAll(async () => {
  [rig, browser] = await Promise.all([createOidcRig(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});

const stateOf = async (url: string): Promise<CaptureState> =>
  (await rig.browser().fetch(`${url}/state`, { method: 'POST', json: {} })).json() as Promise<CaptureState>;

/** What is recorded of the consent to a link's challenge. */
async function recordedConsent(url: string) {
  const linkHash = createHash('sha256').update(url.split('/c/')[1]!).digest();
  const { id } = await rig.db
    .selectFrom('challenge')
    .select('id')
    .where('link_hash', '=', linkHash)
    .executeTakeFirstOrThrow();
  const challenge = (await rig.services.challengeParts.store.find(rig.account.id, id))!;
  return challenge.sealedConsent && openConsent(rig.foundation.keys, challenge, challenge.sealedConsent);
}

describe('the consent text of a client', () => {
  it('is shown on the page character for character, not as markup, and recorded with the consent', async () => {
    const { id, secret } = await rig.addClient({ consentText: TEXT });
    const login = await logIn(rig, await rig.relyingParty(id, secret), { faces: [] });
    const { page, context, logged } = await openPage(browser, 'face');
    // The cookies of the browser in which the login began.
    await context.addCookies(
      [...login.browser.cookies].map(([key, { value, path }]) => ({
        name: key.split(' ')[0]!,
        value,
        url: new URL(path, rig.baseUrl).href,
      })),
    );
    await page.goto(login.url);
    await untilScreen(page, 'privacy');
    const own = page.locator('.fact__own');
    expect(await own.evaluate((element) => element.textContent)).toBe(TEXT);
    expect(await own.innerText()).toContain('Rotterdam.\n<img');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.locator('.fact').nth(1).locator('dt').innerText()).toBe('What First tells you');
    const state = await stateOf(login.url);
    expect(state.consent).toMatchObject({ text_version: VERSION, client_text: TEXT });
    await press(page, 'agree');
    await untilScreen(page, 'position');
    const plain = consentPlainText(consentText(readTexts('en'), state));
    expect(plain).toContain(TEXT);
    expect(await recordedConsent(login.url)).toEqual({
      text_version: VERSION,
      text_sha256: createHash('sha256').update(plain).digest('hex'),
      language: 'en',
    });
    expect([await page.evaluate('window.hit'), await page.evaluate('window.violations'), logged]).toEqual([
      undefined,
      [],
      [],
    ]);
    await context.close();
  });

  it('is part of the consent: a consent to only the page’s own text is refused', async () => {
    const { id, secret } = await rig.addClient({ consentText: TEXT });
    const rp = await rig.relyingParty(id, secret);
    const login = await logIn(rig, rp, { faces: [] });
    const started = await login.browser.fetch(`${login.url}/start`, { method: 'POST', json: {} });
    const { device_token } = (await started.json()) as { device_token: string };
    const page = new PageClient(login.url, device_token, login.browser.pageFetch);
    for (const version of [CONSENT_TEXT_VERSION, `${CONSENT_TEXT_VERSION}+0123456789abcdef`]) {
      expect(await page.consent(version)).toMatchObject({
        status: 409,
        body: { conflict: 'consent_required' },
      });
    }
    expect(await recordedConsent(login.url)).toBeNull();
    expect((await page.consent(VERSION)).status).toBe(200);
    expect(await recordedConsent(login.url)).toMatchObject({ text_version: VERSION });
  });

  it('can be changed without losing subjects; a login in progress keeps the earlier text', async () => {
    const { id, secret } = await rig.addClient({ consentText: TEXT, purpose: 'paying.' });
    const rp = await rig.relyingParty(id, secret);
    const first = await tokensOf(rp, await logIn(rig, rp));
    const asked = await logIn(rig, rp, { faces: [] });
    const changed = await rig.clients.reword(id, { consentText: 'Another.' }, 'test');
    expect(changed).toMatchObject({ client: { settings: { consent_text: 'Another.', purpose: 'paying.' } } });
    expect((await stateOf(asked.url)).consent.client_text).toBe(TEXT);
    const after = await logIn(rig, rp, { faces: [] });
    expect((await stateOf(after.url)).consent.client_text).toBe('Another.');
    const next = await tokensOf(rp, await logIn(rig, rp));
    expect(next.claims()).toMatchObject({ sub: first.claims()!.sub, acr: 'urn:likeness:face' });
    expect(await rig.clients.reword(id, { consentText: null }, 'test')).toMatchObject({ status: 'changed' });
    const without = await stateOf((await logIn(rig, rp, { faces: [] })).url);
    expect(without.consent).toMatchObject({ text_version: CONSENT_TEXT_VERSION, client_text: null });
    expect(without.account.purpose).toBe('paying.');
  });

  it.each([
    ['', 'nothing'],
    ['  \n ', 'blanks'],
    ['x'.repeat(1001), 'more than a thousand letters'],
    ['agree\u0000', 'a zero'],
    ['agree\r\nhere', 'a carriage return'],
    ['\u202Eeerga', 'letters turned round'],
  ])('cannot be %j: %s', async (consentText) => {
    await expect(rig.addClient({ consentText })).rejects.toThrow(
      'a consent text must have 1 to 1000 characters',
    );
  });
});
