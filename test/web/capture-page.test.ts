// The capture page in a real browser with a virtual camera, on the real server: the paths through it.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { matchesDrawnScript } from '../../src/challenge/performed-script.ts';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import { consentPlainText, consentText } from '../../web/capture/texts/consent.ts';
import { PageClient } from '../support/page-client.ts';
import { press, untilScreen } from './support/browser.ts';
import { ASKING, LONG_TAKE_MS, visits } from './support/visit.ts';

const en = readTexts('en');

/** Notes in the page every prompt that it shows, with its heading, because each is visible for only a second. */
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
    const page = await arrive('face', { challenge: ASKING });
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await untilScreen(page, 'privacy');
    const shown: CaptureState = await page.evaluate(
      "JSON.parse(document.getElementById('challenge-state').textContent)",
    );
    await page.evaluate(NOTE_PROMPTS);
    const issuing = page.waitForResponse((answer) => answer.url().endsWith('/captures'));
    await press(page, 'agree');
    const { script } = await (await issuing).json();
    await untilScreen(page, 'done');
    expect(await page.evaluate('window.prompts')).toEqual(
      script.steps.map(({ prompt }: { prompt: keyof typeof en.stage.prompts }) => [
        prompt,
        en.stage.prompts[prompt],
      ]),
    );
    expect(await text()).toContain(en.done.close);

    const [capture] = await visit.check.captures();
    expect(capture).toMatchObject({ state: 'judged', hints: { guidance: 'on', focus_lost: false } });
    expect(capture?.mime_type).toMatch(/^video\/webm/);
    expect(matchesDrawnScript(capture!.performed_script!, script)).toBe(true);
    expect(capture?.hints?.duration_ms).toBeGreaterThan(capture!.performed_script!.steps.at(-1)!.to_ms);
    const plain = consentPlainText(consentText(en, shown));
    expect(await visit.check.consent()).toMatchObject({
      text_version: '2026-11',
      text_sha256: createHash('sha256').update(plain).digest('hex'),
      language: 'en',
    });
    expect(await visit.check.events()).toEqual([
      'challenge_opened',
      'consent_given',
      'camera_granted',
      'capture_started',
      'capture_submitted',
      'evaluation_completed',
    ]);
    expect(await tracks()).toEqual(['ended']);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(visit.opened.errors).toEqual([]);
    expect([...hosts]).toEqual([new URL(visit.origin).host]);
  });

  it('sends the person exactly where the client wants', async () => {
    const target = 'https://client.example/Back/../here?a=1&b=%20#x';
    const { url } = await visit.prepare({
      challenge: { require_consent: false, flow_behaviour: { exit_redirect_url: target } },
    });
    const { page, context } = await visit.tab('face');
    await context.route('https://client.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'the client’s page' }),
    );
    await page.goto(url);
    await press(page, 'start');
    await page.waitForURL('https://client.example/**');
    expect(page.url()).toBe(new URL(target).href);
  });

  it('requires the checkbox where the client asks for it, and works by keyboard alone', async () => {
    const page = await arrive('face', {
      challenge: { require_consent: true, flow_style: { show_consent_checkbox: true } },
    });
    await untilScreen(page, 'privacy');
    await press(page, 'agree');
    expect(await text()).toContain(en.privacy.checkboxMissing);
    expect(await page.evaluate('document.activeElement.dataset.action')).toBe('consent');
    expect(await visit.check.consent()).toBeNull();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.dataset.action')).toBe('agree');
    await page.keyboard.press('Enter');
    await untilScreen(page, 'position');
    expect(await visit.check.consent()).not.toBeNull();
    expect(await page.evaluate('document.activeElement.id')).toBe('screen-title');
  });

  it('records a refusal of consent, and the link stays usable', async () => {
    const page = await arrive('face', { challenge: ASKING });
    await press(page, 'decline');
    await untilScreen(page, 'declined');
    expect(await visit.check.events()).toContain('consent_declined');
    expect(await tracks()).toEqual([]);
    await press(page, 'change-mind');
    await untilScreen(page, 'privacy');
    await press(page, 'agree');
    await untilScreen(page, 'position');
  });

  it('offers the client’s alternative wherever the person cannot continue the check', async () => {
    const alternative_url = 'https://client.example/branch?id=1';
    const page = await arrive('denied', { challenge: { ...ASKING, flow_behaviour: { alternative_url } } });
    const offered = () => page.getAttribute('[data-action="another-way"]', 'href');
    await untilScreen(page, 'privacy');
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
    await press(page, 'decline');
    await untilScreen(page, 'declined');
    expect(await offered()).toBe(alternative_url);
    expect(await text()).toContain(en.anotherWay);
    await press(page, 'change-mind');
    await press(page, 'agree');
    await untilScreen(page, 'camera_denied');
    expect(await offered()).toBe(alternative_url);
    const { page: stranger } = await visit.tab('face');
    await stranger.goto(visit.check.url);
    await untilScreen(stranger, 'other_device');
    expect(await stranger.getAttribute('[data-action="another-way"]', 'href')).toBe(alternative_url);
    await visit.check.expire();
    await page.reload();
    await untilScreen(page, 'expired');
    expect(await offered()).toBe(alternative_url);
  });

  it('offers the alternative where the client cancelled the check, and not where it is finished', async () => {
    const alternative_url = 'https://client.example/branch?id=1';
    const challenge = { require_consent: false, flow_behaviour: { alternative_url } };
    const page = await arrive('face', { challenge });
    await untilScreen(page, 'start');
    await visit.rig.call('POST', `/v1/challenges/${visit.check.id}/cancel`);
    await page.reload();
    await untilScreen(page, 'cancelled');
    expect(await page.getAttribute('[data-action="another-way"]', 'href')).toBe(alternative_url);

    const { url } = await visit.prepare({ challenge });
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
    await page.reload();
    await untilScreen(page, 'used');
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
  });

  it('offers the alternative where a call fails permanently, but not for a lost connection', async () => {
    const page = await arrive('face', {
      challenge: {
        require_consent: false,
        flow_behaviour: { alternative_url: 'https://client.example/branch' },
      },
    });
    await untilScreen(page, 'start');
    await page.route('**/captures', (route) => route.fulfill({ status: 500, body: '' }));
    await press(page, 'start');
    await untilScreen(page, 'failed', 30_000);
    expect(await text()).toContain(en.failed.server.title);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(1);
    await page.route('**/captures', (route) => route.abort());
    await page.route('**/state', (route) => route.abort());
    await press(page, 'reload');
    await expect.poll(text).toContain(en.failed.offline.title);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
  });

  it('redirects after a refusal of consent where the client wants it', async () => {
    const page = await arrive('face', {
      challenge: { flow_behaviour: { exit_redirect_url: 'https://client.example/no' } },
    });
    await visit.opened.context.route('https://client.example/**', (route) => route.fulfill({ body: 'back' }));
    await press(page, 'decline');
    await page.waitForURL('https://client.example/no');
  });

  it('says why another try is needed, and makes it with a fresh script', async () => {
    const page = await arrive('face', {
      judge: (submission) => (submission === 1 ? 'smile_missing' : 'done'),
    });
    await press(page, 'start');
    await untilScreen(page, 'retry');
    expect(await text()).toContain(en.retry.reasons.smile_missing.title);
    expect(await text()).toContain(en.retry.triesLeft({ tries: 2 }));
    expect(await tracks()).toEqual(['ended']);
    await press(page, 'try-again');
    await untilScreen(page, 'done', 45_000);
    expect((await visit.check.captures()).map(({ state }) => state)).toEqual(['rejected', 'judged']);
    expect(await tracks()).toEqual(['ended', 'ended']);
  });

  it('does not redirect a person who changes their mind at once', async () => {
    const page = await arrive('face', {
      challenge: { ...ASKING, flow_behaviour: { exit_redirect_url: 'https://client.example/declined' } },
    });
    await visit.opened.context.route('https://client.example/**', (route) => route.fulfill({ body: 'away' }));
    // Before the page leaves.
    await page.evaluate(
      `setInterval(() => document.querySelector('[data-action="change-mind"]')?.click(), 50)`,
    );
    await press(page, 'decline');
    await page.waitForTimeout(3_000);
    expect(page.url()).toBe(visit.check.url);
    expect(await page.getAttribute('html', 'data-state')).toBe('privacy');
  });

  it('says that the client cancelled the check, before a recording and during one', async () => {
    const cancel = () => visit.rig.call('POST', `/v1/challenges/${visit.check.id}/cancel`);
    const page = await arrive('face', { challenge: ASKING });
    await untilScreen(page, 'privacy');
    await cancel();
    await press(page, 'agree');
    await untilScreen(page, 'cancelled');
    const { url } = await visit.prepare({ takeMs: LONG_TAKE_MS });
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'recording');
    await cancel();
    await untilScreen(page, 'cancelled');
    expect(await tracks()).toEqual(['ended']);
  });

  it('says so in place of another try where the recording failed before the page had heard of it', async () => {
    const page = await arrive('face', { takeMs: LONG_TAKE_MS });
    await page.route('**/slices', () => {});
    await press(page, 'start');
    await untilScreen(page, 'recording');
    await visit.rig.call('POST', `/v1/challenges/${visit.check.id}/cancel`);
    await page.evaluate("window.cameraTracks.at(-1).dispatchEvent(new Event('ended'))");
    await untilScreen(page, 'cancelled');
    expect(await tracks()).toEqual(['ended']);
  });

  it('says so when the link expires while the page is open', async () => {
    const page = await arrive('face', { challenge: ASKING });
    await untilScreen(page, 'privacy');
    await visit.check.expire();
    await press(page, 'agree');
    await untilScreen(page, 'expired');
    expect(await text()).toContain(en.deadEnds.expired.title);
  });

  it.each([
    ['opened elsewhere', 'other_device', false],
    ['opened elsewhere after the page was', 'other_device', true],
  ] as const)('a link that was %s says so, and records no consent', async (_when, screen, afterwards) => {
    const { url } = await visit.prepare({ challenge: ASKING });
    const { page } = await visit.tab('face');
    const elsewhere = new PageClient(url);
    if (!afterwards) await elsewhere.start();
    await page.goto(url);
    if (afterwards) {
      await untilScreen(page, 'privacy');
      await elsewhere.start();
      await press(page, 'agree');
    }
    await untilScreen(page, screen);
    expect(await page.textContent('h1')).toBe(en.deadEnds[screen].title);
    expect(await visit.check.consent()).toBeNull();
  });

  it('a dead link shows its client’s design and a way back, and without scripts its text', async () => {
    const { default: sharp } = await import('sharp');
    visit.logo = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0a66c2' } })
      .png()
      .toBuffer();
    const target = 'https://client.example/back';
    const { id, url } = await visit.prepare({
      challenge: {
        flow_behaviour: { exit_redirect_url: target },
        flow_style: { primary_colour_hex: '#0a66c2', logo_public_url: 'https://client.example/logo.png' },
      },
    });
    const { page } = await visit.tab('face');
    await page.goto(url);
    await page.waitForSelector('.logo[data-loaded] img');
    await visit.rig.call('POST', `/v1/challenges/${id}/cancel`);
    await page.goto(url);
    await untilScreen(page, 'cancelled');
    expect(await text()).toContain(en.deadEnds.cancelled.body);
    await page.waitForSelector('.logo[data-loaded] img[alt="first"]');
    expect(await page.evaluate("document.documentElement.style.getPropertyValue('--primary')")).toBe(
      '#0a66c2',
    );
    expect(await page.getAttribute('[data-action="leave"]', 'href')).toBe(target);
    expect(await page.evaluate('window.violations')).toEqual([]);

    const { page: plain } = await visit.tab('face', { javaScriptEnabled: false });
    await plain.goto(`${url}?lang=de`);
    const { title, body } = readTexts('de').deadEnds.cancelled;
    await plain.getByText(title).waitFor();
    await plain.getByText(body).waitFor();
    expect(await plain.textContent('.bar__name')).toBe('first');
  });

  it('says in the person’s language that its script does not load, and offers to reload', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    const files = /\/assets\/capture\/.*\.js$/;
    await page.route(files, (route) => route.abort());
    await page.goto(`${url}?lang=de`);
    const { failed } = readTexts('de');
    const again = page.getByRole('link', { name: failed.retry });
    expect(await again.isVisible()).toBe(false);
    // As if eight seconds had passed.
    await page.evaluate(
      'for (const each of document.getAnimations()) if (each.animationName === "appear") each.finish()',
    );
    await page.getByText(failed.offline.body).waitFor();
    await page.unroute(files);
    await again.click();
    await untilScreen(page, 'start');
    expect(await page.evaluate('window.violations')).toEqual([]);
  });

  it('tells the person what to do in a browser that cannot record', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    await page.addInitScript({ content: 'delete window.MediaRecorder' });
    await page.goto(url);
    await untilScreen(page, 'unsupported');
    expect(await text()).toContain(en.deadEnds.unsupported.body);
  });

  it('shows the logo in its box, and the name where the logo fails', async () => {
    const { default: sharp } = await import('sharp');
    visit.logo = await sharp({ create: { width: 400, height: 120, channels: 3, background: '#0a66c2' } })
      .png()
      .toBuffer();
    const flow_style = { logo_public_url: 'https://client.example/logo.png' };
    const page = await arrive('face', { challenge: { flow_style } });
    await page.waitForSelector('.logo[data-loaded] img');
    expect((await page.locator('.logo img').boundingBox())?.height).toBeLessThanOrEqual(36);
    visit.logo = null;
    await visit.prepare({ challenge: { flow_style } });
    await page.goto(visit.check.url);
    await untilScreen(page, 'privacy');
    expect(await page.textContent('.bar')).toContain('first');
  });
});
