// A check that needs the person's device goes from a computer to a phone: each makes a passkey of its own, and only the
// last one counts.
import { devices, type Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { freePort } from '../../support/free-port.ts';
import { plugIn } from '../../web/support/authenticator.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { scan } from '../../web/support/scan.ts';
import { visits } from '../../web/support/visit.ts';

const en = readTexts('en');
/** By name: WebAuthn knows no addresses. */
const ORIGIN = `http://localhost:${await freePort()}`;
const COMPUTER = { viewport: { width: 1280, height: 800 } };

describe('a check with a device, on a computer and a phone', () => {
  const visit = visits({ BASE_URL: ORIGIN });
  const failed = (tries: number) => (submission: number) =>
    submission <= tries ? ('connection_slow' as const) : ('done' as const);

  /** A computer that made a passkey for a recording which was sent back. */
  async function sentBack(device_binding: 'offer' | 'require', tries = 1) {
    const { url } = await visit.prepare({
      challenge: { require_consent: true, device_binding },
      judge: failed(tries),
    });
    const { page } = await visit.tab('face', COMPUTER);
    const authenticator = await plugIn(page, {});
    await page.goto(url);
    for (const action of ['agree', 'add-device']) await press(page, action);
    await untilScreen(page, 'retry');
    expect(await authenticator.held()).toHaveLength(1);
    return { url, page, authenticator };
  }

  async function onPhone(link: string) {
    const { page } = await visit.tab('face', devices['Pixel 7']);
    const authenticator = await plugIn(page, {});
    await page.goto(link);
    await press(page, 'agree');
    return { page, authenticator };
  }

  async function makesItsOwn(page: Page) {
    await untilScreen(page, 'device');
    expect(await page.textContent('main')).toContain(en.device.make.title);
    expect(await page.$('[data-action="confirm-device"]')).toBeNull();
    await press(page, 'add-device');
  }

  it.each([
    'require',
    'offer',
  ] as const)('the phone makes its own, and the computer forgets: %s', async (how) => {
    const { url, page, authenticator } = await sentBack(how);
    await press(page, 'use-phone');
    const link = await scan(page);
    expect(link).toBe(`${url}#f=phone`);
    const phone = await onPhone(link);
    await makesItsOwn(phone.page);
    await untilScreen(phone.page, 'done');
    expect(await phone.page.textContent('main')).toContain(en.handOff.goBack);
    expect(await phone.authenticator.held()).toHaveLength(1);
    await untilScreen(page, 'done');
    await expect.poll(authenticator.held).toEqual([]);
    const consents = (await visit.check.events()).filter((name) => name === 'consent_given');
    expect(consents).toHaveLength(2);
  });

  it('the computer takes it back: it makes another one, and the phone forgets', async () => {
    const { page } = await sentBack('require', 2);
    await press(page, 'use-phone');
    const phone = await onPhone(await scan(page));
    await makesItsOwn(phone.page);
    await untilScreen(phone.page, 'retry');
    await press(page, 'here');
    await press(page, 'agree');
    await untilScreen(page, 'position');
    // The person looks at the phone once more.
    await phone.page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await expect.poll(phone.authenticator.held).toEqual([]);
    await makesItsOwn(page);
    await untilScreen(page, 'done');
  });

  it('nobody scans the code: the computer goes on with the one that it has', async () => {
    const { page, authenticator } = await sentBack('require');
    await press(page, 'use-phone');
    await scan(page);
    await press(page, 'here');
    await press(page, 'try-again');
    await press(page, 'confirm-device');
    await untilScreen(page, 'done');
    expect(await authenticator.held()).toHaveLength(1);
  });
});
