// The capture page in a real browser with a virtual camera, on the real server: the paths through it.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { matchesDrawnScript } from '../../src/challenge/capturing/performed-script.ts';
import type { CaptureState } from '../../src/contract/capture-page.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import { serverTexts } from '../../web/capture/build/server-texts.ts';
import { consentPlainText, consentText } from '../../web/capture/texts/consent.ts';
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
      text_version: '2026-11-27.2',
      text_sha256: createHash('sha256').update(plain).digest('hex'),
      language: 'en',
    });
    expect(await visit.check.consent()).not.toHaveProperty('device_token');
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
    expect(visit.opened.logged).toEqual([]);
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

  it.each([
    ['anything is drawn', missing('video')],
    ['it has its token', 'crypto.subtle.digest = () => Promise.reject(new Error("broken by the test"))'],
    ['its first screen is drawn', missing('dt')],
  ])('says how to go on, where an exception stops it before %s', async (_, breaks) => {
    const { url } = await visit.prepare({ challenge: ASKING });
    const { page, logged } = await visit.tab('face');
    await page.addInitScript({ content: breaks });
    await page.goto(url);
    // Sooner than where nothing runs at all.
    await page.getByText(serverTexts().en!.late).waitFor({ timeout: 5_000 });
    expect(await page.textContent('body')).not.toContain(en.loading);
    expect(await page.locator('.spinner').isVisible()).toBe(false);
    expect(logged.join()).toContain('broken by the test');
  });
});

/** A browser that cannot create one kind of element. */
function missing(tag: string): string {
  return `{
    const create = document.createElement.bind(document);
    document.createElement = (tag) => {
      if (tag === '${tag}') throw new Error('broken by the test');
      return create(tag);
    };
  }`;
}
