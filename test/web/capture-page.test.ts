// The capture page in a real browser with a virtual camera, against a double of its server: the ways through it.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleState } from '../../web/capture/gallery/sample.ts';
import { consentPlainText, consentText } from '../../web/capture/texts/consent.ts';
import { texts as en } from '../../web/capture/texts/en.ts';
import { press, untilScreen } from './support/browser.ts';
import { DONE } from './support/page-server.ts';
import { plainState, visits } from './support/visit.ts';

/** Every prompt that the page shows, with its heading: noted in the page, as each stands there for a second only. */
const NOTE_PROMPTS = `
  window.prompts = [];
  new MutationObserver(() => {
    const { prompt } = document.documentElement.dataset;
    if (prompt && window.prompts.at(-1)?.[0] !== prompt)
      window.prompts.push([prompt, document.querySelector('h1').textContent]);
  }).observe(document.documentElement, { attributes: true, attributeFilter: ['data-prompt'] });
  undefined`;

describe('capture page', () => {
  const visit = visits();
  const { arrive, text, tracks } = visit;

  it('goes from consent to the closing screen, following the script', async () => {
    const page = await arrive('face');
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await untilScreen(page, 'privacy');
    const shown = visit.server.behaviour.state;
    await page.evaluate(NOTE_PROMPTS);
    await press(page, 'agree');
    await untilScreen(page, 'done');
    expect(await page.evaluate('window.prompts')).toEqual(
      visit.server.behaviour.steps.map(({ prompt }) => [prompt, en.stage.prompts[prompt]]),
    );
    expect(await text()).toContain(en.done.close);

    const [capture] = visit.server.captures;
    expect(capture?.state).toBe('submitted');
    expect(capture?.commit?.mime_type).toMatch(/^video\/webm/);
    expect(capture?.bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
    expect(capture?.commit?.duration_ms).toBeGreaterThan(2900);
    const plain = consentPlainText(consentText(en, shown));
    const sha256 = createHash('sha256').update(plain).digest('hex');
    expect(visit.server.consents).toEqual([
      { decision: 'given', text_version: '2026-11', text_sha256: sha256, language: 'en' },
    ]);
    expect(visit.server.events).toEqual(['camera_granted']);
    expect(await tracks()).toEqual(['ended']);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(visit.opened.errors).toEqual([]);
    expect([...hosts]).toEqual([new URL(visit.server.url).host]);
    expect(visit.server.requests.filter((request) => request.startsWith('PATCH')).length).toBeGreaterThan(0);
  });

  it('sends the person exactly where the client wants', async () => {
    const target = 'https://client.example/Back/../here?a=1&b=%20#x';
    await visit.serve({
      state: plainState({ exit_redirect_url: target }),
      judge: () => ({ ...DONE, redirect_url: target }),
    });
    const { page, context } = await visit.tab('face');
    await context.route('https://client.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'the client’s page' }),
    );
    await page.goto(visit.server.url);
    await press(page, 'start');
    await page.waitForURL('https://client.example/**');
    expect(page.url()).toBe(new URL(target).href);
  });

  it('demands the tick where the client asks for it, and works by keyboard alone', async () => {
    const page = await arrive('face', {
      state: sampleState({ consent: { ...sampleState().consent, show_checkbox: true } }),
    });
    await untilScreen(page, 'privacy');
    await press(page, 'agree');
    expect(await text()).toContain(en.privacy.checkboxMissing);
    expect(await page.evaluate('document.activeElement.dataset.action')).toBe('consent');
    expect(visit.server.consents).toEqual([]);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.dataset.action')).toBe('agree');
    await page.keyboard.press('Enter');
    await untilScreen(page, 'position');
    expect(visit.server.consents).toHaveLength(1);
    expect(await page.evaluate('document.activeElement.id')).toBe('screen-title');
  });

  it('records a refusal of consent; the link stays usable', async () => {
    const page = await arrive('face');
    await press(page, 'decline');
    await untilScreen(page, 'declined');
    expect(visit.server.consents.map(({ decision }) => decision)).toEqual(['declined']);
    expect(await tracks()).toEqual([]);
    await press(page, 'change-mind');
    await untilScreen(page, 'privacy');
    await press(page, 'agree');
    await untilScreen(page, 'position');
  });

  it('declining redirects where the client wants it', async () => {
    const page = await arrive('face', {
      state: sampleState({ exit_redirect_url: 'https://client.example/no' }),
    });
    await visit.opened.context.route('https://client.example/**', (route) => route.fulfill({ body: 'back' }));
    await press(page, 'decline');
    await page.waitForURL('https://client.example/no');
  });

  it('says why another try is needed, and takes it with a fresh script', async () => {
    const page = await arrive('face', {
      state: plainState(),
      judge: (submission) =>
        submission === 1
          ? { ...DONE, status: 'retry', retry: { reason: 'smile_missing', tries_left: 2 } }
          : DONE,
    });
    await press(page, 'start');
    await untilScreen(page, 'retry');
    expect(await text()).toContain(en.retry.reasons.smile_missing.title);
    expect(await text()).toContain(en.retry.triesLeft(2));
    expect(await tracks()).toEqual(['ended']);
    await press(page, 'try-again');
    await untilScreen(page, 'done', 45_000);
    expect(visit.server.captures.map(({ state }) => state)).toEqual(['rejected', 'submitted']);
    expect(await tracks()).toEqual(['ended', 'ended']);
  });

  it('tells when the link expires under the person’s hands', async () => {
    const page = await arrive('face');
    await untilScreen(page, 'privacy');
    visit.server.behaviour.state = { ...visit.server.behaviour.state, status: 'expired' };
    await press(page, 'agree');
    await untilScreen(page, 'expired');
    expect(await text()).toContain(en.deadEnds.expired.title);
  });

  it.each([
    ['used', sampleState({ status: 'completed', device_bound: true })],
    ['expired', sampleState({ status: 'expired' })],
    ['cancelled', sampleState({ status: 'cancelled' })],
    ['other_device', sampleState({ status: 'initiated', device_bound: true })],
  ] as const)('a link that is %s says so, and loads no detector', async (screen, state) => {
    const page = await arrive('face', { state });
    await untilScreen(page, screen);
    expect(await page.textContent('h1')).toBe(en.deadEnds[screen].title);
    expect(visit.server.requests.filter((request) => request.includes('guidance'))).toEqual([]);
  });

  it('gives way to a device that was faster', async () => {
    const page = await arrive('face');
    await untilScreen(page, 'privacy');
    visit.server.devices.add('the-token-of-the-other-device');
    await press(page, 'agree');
    await untilScreen(page, 'other_device');
    expect(visit.server.consents).toEqual([]);
  });

  it('tells a browser that cannot record what to do', async () => {
    await visit.serve();
    await visit.tab('face');
    await visit.opened.page.addInitScript({ content: 'delete window.MediaRecorder' });
    await visit.opened.page.goto(visit.server.url);
    await untilScreen(visit.opened.page, 'unsupported');
    expect(await text()).toContain(en.deadEnds.unsupported.body);
  });

  it('shows the logo in its box, and the name where the logo fails', async () => {
    const { default: sharp } = await import('sharp');
    const logo = await sharp({ create: { width: 400, height: 120, channels: 3, background: '#0a66c2' } })
      .png()
      .toBuffer();
    const style = { ...sampleState().style, logo: true };
    const page = await arrive('face', { state: sampleState({ style }), logo });
    await page.waitForSelector('.logo[data-loaded] img');
    expect((await page.locator('.logo img').boundingBox())?.height).toBeLessThanOrEqual(36);
    visit.server.behaviour.logo = null;
    await page.reload();
    await untilScreen(page, 'privacy');
    expect(await page.textContent('.bar')).toContain('Harbour Bank');
  });
});
