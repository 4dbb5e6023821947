// The capture page in a real browser with a virtual camera, on the real server: the paths through it.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { matchesDrawnScript } from '../../src/challenge/performed-script.ts';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import { consentPlainText, consentText } from '../../web/capture/texts/consent.ts';
import { PageClient } from '../support/page-client.ts';
import { press, untilScreen } from './support/browser.ts';
import { ASKING, visits } from './support/visit.ts';

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

  it('redirects after a refusal of consent where the client wants it', async () => {
    const page = await arrive('face', {
      challenge: { flow_behaviour: { exit_redirect_url: 'https://client.example/no' } },
    });
    await visit.opened.context.route('https://client.example/**', (route) => route.fulfill({ body: 'back' }));
    await press(page, 'decline');
    await page.waitForURL('https://client.example/no');
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
