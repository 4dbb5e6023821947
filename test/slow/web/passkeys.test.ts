// The person's device signs the recording: the built page, Chromium's own virtual authenticator, and a service that
// verifies what it signed.
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import fastify from 'fastify';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { freePort } from '../../support/free-port.ts';
import { type Kind, plugIn } from '../../web/support/authenticator.ts';
import { leaveScreenshot, press, untilScreen } from '../../web/support/browser.ts';
import { type Scenario, visits } from '../../web/support/visit.ts';

const en = readTexts('en');
/** By name: WebAuthn knows no addresses. */
const ORIGIN = `http://localhost:${await freePort()}`;
const FRAMED_ORIGIN = `http://localhost:${await freePort()}`;
const OFFER = { require_consent: false, device_binding: 'offer' };
const REQUIRE = { require_consent: false, device_binding: 'require' };
const AXE = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;
/** Notes what the page asks of the browser when a passkey is to sign. */
const NOTE_ASKED = `{
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = (options) => {
    const { allowCredentials, hints = null } = options.publicKey;
    window.askedOf = { transports: allowCredentials.map(({ transports }) => transports), hints };
    return get(options);
  };
}`;

describe('the person’s device', () => {
  const visit = visits({ BASE_URL: ORIGIN });

  /** Opens a check in a tab whose device has an authenticator, and records. */
  const record = async (scenario: Scenario, before?: (page: Page) => Promise<unknown>, kind: Kind = {}) => {
    const { url } = await visit.prepare(scenario);
    const { page } = await visit.tab('face');
    const authenticator = await plugIn(page, kind);
    await before?.(page);
    await page.goto(url);
    await press(page, 'start');
    return { page, authenticator };
  };
  const deviceResult = async () => {
    const answer = await visit.rig.call('GET', `/v1/challenges/${visit.check.id}`);
    return answer.json<{ device_result?: { status: string } }>().device_result?.status;
  };
  const states = async () => (await visit.check.captures()).map(({ state }) => state);

  it('makes a passkey for the first recording, and signs the next with it', async () => {
    const judge = (submission: number) => (submission === 1 ? 'blurred' : 'done');
    const { page, authenticator } = await record({ challenge: OFFER, judge });
    await untilScreen(page, 'device');
    expect(await visit.text()).toContain(en.device.make.title);
    await press(page, 'add-device');
    await untilScreen(page, 'retry');
    const held = await authenticator.held();
    expect(held).toHaveLength(1);
    await press(page, 'try-again');
    await untilScreen(page, 'device');
    // The service knows the passkey only if its signature of the first recording held.
    expect(await visit.text()).toContain(en.device.confirm.title);
    expect(await page.$('[data-action="add-device"]')).toBeNull();
    await press(page, 'confirm-device');
    await untilScreen(page, 'done');
    expect(await authenticator.held()).toEqual(held);
    // These judgements make no FeatureID that could be bound; a signature that does not hold would be `failed`.
    expect(await deviceResult()).toBe('none');
    expect(visit.opened.logged).toEqual([]);
  });

  it.each([
    ['a security key that stores no passkeys', ['usb'], { transport: 'usb', hasResidentKey: false }],
    ['a phone that scans the browser’s code', ['ble', 'hybrid'], { transport: 'cable' }],
    [
      'one whose passkeys are synchronised',
      ['internal'],
      { defaultBackupEligibility: true, defaultBackupState: true },
    ],
  ] as const)('may be %s, and the browser is told how to reach it again: %s', async (_, transports, kind) => {
    const judge = (submission: number) => (submission === 1 ? 'blurred' : 'done');
    const { page } = await record(
      { challenge: OFFER, judge },
      (tab) => tab.addInitScript({ content: NOTE_ASKED }),
      kind,
    );
    for (const action of ['add-device', 'try-again', 'confirm-device']) await press(page, action);
    await untilScreen(page, 'done');
    expect(await deviceResult()).toBe('none');
    // No hint, and no kind of authenticator: all that the browser knows is offered.
    expect(await page.evaluate('askedOf')).toEqual({ transports: [transports], hints: null });
  });

  it('is not asked, and its file not loaded, unless the client wants it', async () => {
    const loaded: string[] = [];
    const note = async (page: Page) => void page.on('request', (request) => loaded.push(request.url()));
    const { page } = await record({}, note);
    await untilScreen(page, 'done');
    expect(loaded.filter((url) => url.includes('ceremony'))).toEqual([]);
    loaded.length = 0;
    const asked = await record({ challenge: OFFER }, note);
    await untilScreen(asked.page, 'device');
    await expect.poll(() => loaded.filter((url) => url.includes('ceremony'))).toHaveLength(1);
  });

  it('that does not recognise the person may be asked again', async () => {
    const { page, authenticator } = await record({ challenge: OFFER });
    await untilScreen(page, 'device');
    await authenticator.recognises(false);
    await press(page, 'add-device');
    await expect.poll(visit.text).toContain(en.device.cancelled);
    expect(await page.textContent('[aria-live="polite"]')).toBe(en.device.cancelled);
    await leaveScreenshot(page, 'device-cancelled');
    await authenticator.recognises(true);
    await press(page, 'add-device');
    await untilScreen(page, 'done');
    expect(await authenticator.held()).toHaveLength(1);
  });

  it('may be declined: at once where it is offered, with a second tap where it is required', async () => {
    const offered = await record({ challenge: OFFER });
    await untilScreen(offered.page, 'device');
    await press(offered.page, 'without-device');
    await untilScreen(offered.page, 'done');
    expect(await deviceResult()).toBe('none');
    const required = await record({ challenge: REQUIRE });
    await untilScreen(required.page, 'device');
    // A double click is not a second thought.
    await required.page.dblclick('[data-action="without-device"]');
    await expect.poll(() => required.page.textContent('main')).toContain(en.device.declining);
    expect(await required.page.getAttribute('html', 'data-state')).toBe('device');
    await press(required.page, 'without-device');
    await untilScreen(required.page, 'done');
    expect(await deviceResult()).toBe('none');
  });

  it('no longer offers what it made for an earlier try, if the last one is declined', async () => {
    const judge = (submission: number) => (submission === 1 ? 'blurred' : 'done');
    const { page, authenticator } = await record({ challenge: OFFER, judge });
    for (const action of ['add-device', 'try-again']) await press(page, action);
    await untilScreen(page, 'device');
    expect(await authenticator.held()).toHaveLength(1);
    await press(page, 'without-device');
    await untilScreen(page, 'done');
    await expect.poll(authenticator.held).toEqual([]);
    expect(await deviceResult()).toBe('none');
  });

  it('may be one that this browser cannot ask', async () => {
    const { page } = await record({ challenge: OFFER }, (tab) =>
      tab.context().addInitScript({ content: 'delete window.PublicKeyCredential' }),
    );
    await untilScreen(page, 'device');
    expect(await visit.text()).toContain(en.device.unavailable.body);
    await leaveScreenshot(page, 'device-unavailable');
    await press(page, 'continue');
    await untilScreen(page, 'done');
    expect(await deviceResult()).toBe('unavailable');
  });

  it('may be one that this browser cannot ask, though it is required: it says so before it records', async () => {
    const { url } = await visit.prepare({ challenge: REQUIRE });
    const { page } = await visit.tab('face');
    await page.addInitScript({ content: 'delete window.PublicKeyCredential' });
    await page.goto(url);
    await untilScreen(page, 'device_missing');
    expect(await visit.text()).toContain(en.device.declining);
    await leaveScreenshot(page, 'device-missing');
    await press(page, 'use-phone');
    await untilScreen(page, 'hand_off');
    expect(await page.getAttribute('.code', 'aria-label')).toBe(en.handOff.codeLabel);
    await press(page, 'here');
    await untilScreen(page, 'device_missing');
    expect(await visit.check.captures()).toEqual([]);
  });

  it.each([
    ['after a reload', async (page: Page) => void (await page.reload())],
    [
      'in a tab that left',
      async (page: Page) => {
        await page.goto('about:blank');
        await page.goto(visit.check.url);
      },
    ],
  ])('no longer offers what it made for a check that ended in vain meanwhile: %s', async (_, come) => {
    const { page, authenticator } = await record({ challenge: OFFER, judge: () => 'blurred' });
    await press(page, 'add-device');
    await untilScreen(page, 'retry');
    await page.reload();
    await untilScreen(page, 'retry');
    expect(await authenticator.held()).toHaveLength(1);
    await visit.check.expire();
    await come(page);
    await untilScreen(page, 'expired');
    await expect.poll(authenticator.held).toEqual([]);
    expect(await page.evaluate('Object.keys(sessionStorage).filter((key) => key.endsWith("-made"))')).toEqual(
      [],
    );
  });

  it('may be a new one, where the client allows that', async () => {
    const { page, authenticator } = await record({ challenge: OFFER }, (tab) =>
      tab.route('**/captures', async (route) => {
        const response = await route.fetch();
        const issued = await response.json();
        const known = [{ id: 'AAECAwQFBgcICQoLDA0ODw', transports: ['internal'] }];
        await route.fulfill({ response, json: { ...issued, passkey: { ...issued.passkey, known } } });
      }),
    );
    await untilScreen(page, 'device');
    await press(page, 'confirm-device');
    await expect.poll(visit.text).toContain(en.device.cancelled);
    await press(page, 'add-device');
    await untilScreen(page, 'done');
    expect(await authenticator.held()).toHaveLength(1);
  });

  it('is asked again after a reload, about the same recording', async () => {
    const { page, authenticator } = await record({ challenge: OFFER });
    await untilScreen(page, 'device');
    const capture = async () => (await visit.check.captures())[0];
    await expect.poll(async () => (await capture())?.received_bytes).toBe((await capture())?.size_bytes);
    await page.reload();
    await untilScreen(page, 'device');
    await press(page, 'add-device');
    await untilScreen(page, 'done');
    expect(await states()).toEqual(['judged']);
    expect(await deviceResult()).toBe('none');
    expect(await authenticator.held()).toHaveLength(1);
  });

  it('is asked with another tap where its file did not arrive', async () => {
    const { page } = await record({ challenge: OFFER }, (tab) =>
      tab.route('**/ceremony-*', (route) => route.abort()),
    );
    await untilScreen(page, 'device');
    await press(page, 'add-device');
    await expect.poll(visit.text).toContain(en.failed.offline.body);
    await page.unroute('**/ceremony-*');
    await press(page, 'add-device');
    await untilScreen(page, 'done');
  });

  it('answers without a connection, and the answer is sent once there is one', async () => {
    const { page } = await record({ challenge: OFFER });
    await untilScreen(page, 'device');
    await expect.poll(states).toEqual(['committed']);
    const capture = async () => (await visit.check.captures())[0];
    await expect.poll(async () => (await capture())?.received_bytes).toBe((await capture())?.size_bytes);
    await page.context().setOffline(true);
    await press(page, 'add-device');
    await page.waitForSelector('.progress[data-phase="waiting"]');
    await page.context().setOffline(false);
    await untilScreen(page, 'done');
    expect(await states()).toEqual(['judged']);
    expect(await deviceResult()).toBe('none');
  });

  it('is asked about a check that is over: the page says so when it is in front again', async () => {
    const { page } = await record({ challenge: OFFER });
    await untilScreen(page, 'device');
    await visit.check.expire();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await untilScreen(page, 'expired');
  });

  it('is left and found again where the person leaves the check and comes back', async () => {
    const { page } = await record({ challenge: OFFER });
    await untilScreen(page, 'device');
    await press(page, 'leave-check');
    await untilScreen(page, 'left');
    await press(page, 'resume');
    await untilScreen(page, 'device');
    await press(page, 'add-device');
    await untilScreen(page, 'done');
    expect(await visit.check.captures()).toHaveLength(1);
  });

  it('is reached by the keyboard alone, and axe finds nothing', async () => {
    const { page, authenticator } = await record({ challenge: REQUIRE });
    await untilScreen(page, 'device');
    const focused = () =>
      page.evaluate('document.activeElement.dataset.action ?? document.activeElement.id') as Promise<string>;
    expect(await focused()).toBe('screen-title');
    await page.evaluate(axe.source);
    expect(await page.evaluate(AXE)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('add-device');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('without-device');
    await page.keyboard.press('Enter');
    await expect.poll(visit.text).toContain(en.device.declining);
    expect(await focused()).toBe('without-device');
    expect(await page.evaluate(AXE)).toEqual([]);
    await authenticator.recognises(false);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await expect.poll(visit.text).toContain(en.device.cancelled);
    expect(await focused()).toBe('add-device');
    await authenticator.recognises(true);
    await page.keyboard.press('Enter');
    await untilScreen(page, 'done');
  });
});

describe('in a frame of another origin', () => {
  const visit = visits({ BASE_URL: FRAMED_ORIGIN });
  const client = fastify({ forceCloseConnections: true });
  beforeAll(async () => {
    client.get('/', (request, reply) => {
      const { allow } = request.query as { allow: string };
      const frame = `<iframe src="${visit.check.url}" allow="${allow}" width="390" height="700"></iframe>`;
      return reply.type('text/html; charset=utf-8').send(frame);
    });
    await client.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => client.close());

  const ALLOWED = 'camera; publickey-credentials-get; publickey-credentials-create';

  /** Presses these buttons of the framed check, each when it appears; resolves with the device's status at its end. */
  const take = async (scenario: Scenario, allow: string, actions: readonly string[]) => {
    await visit.prepare({ challenge: OFFER, ...scenario });
    const { page } = await visit.tab('face');
    await plugIn(page);
    const { port } = client.server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?allow=${encodeURIComponent(allow)}`);
    const frame = page.frameLocator('iframe');
    for (const action of ['start', ...actions]) await frame.locator(`[data-action="${action}"]`).click();
    await frame.locator('html[data-state="done"]').waitFor({ state: 'attached' });
    const answer = await visit.rig.call('GET', `/v1/challenges/${visit.check.id}`);
    return answer.json().device_result.status;
  };

  it.each([
    ['that may ask the device', ALLOWED, 'add-device', 'none'],
    ['that may not', 'camera', 'continue', 'unavailable'],
  ])('%s', async (_what, allow, action, status) => {
    expect(await take({}, allow, [action])).toBe(status);
  });

  it('that may not, though the device is required, opens a tab of its own', async () => {
    await visit.prepare({ challenge: REQUIRE });
    const { page, context } = await visit.tab('face');
    const { port } = client.server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?allow=camera`);
    const opened = context.waitForEvent('page');
    await page.frameLocator('iframe').locator('[data-action="open-tab"]').click();
    const tab = await opened;
    await plugIn(tab);
    for (const action of ['start', 'add-device']) await press(tab, action);
    await untilScreen(tab, 'done');
    await page.frameLocator('iframe').locator('html[data-state="done"]').waitFor({ state: 'attached' });
  });

  it('the device signs as well, and tells of the page around it', async () => {
    const judge = (submission: number) => (submission === 1 ? 'blurred' : 'done');
    const actions = ['add-device', 'try-again', 'confirm-device'];
    expect(await take({ judge }, ALLOWED, actions)).toBe('none');
  });
});
