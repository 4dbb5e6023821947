// The capture page in a real browser with a virtual camera, against a double of its server: every way through it.
import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { consentPlainText, consentText } from '../../web/capture/texts/consent.ts';
import { en } from '../../web/capture/texts/en.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  type Camera,
  ensureBuild,
  type OpenedPage,
  openPage,
  press,
  untilScreen,
} from './support/browser.ts';
import { type Behaviour, DONE, openState, type PageServer, startPageServer } from './support/page-server.ts';

const withoutConsent = { ...openState().consent, required: false };

describe('capture page', () => {
  let browser: Browser;
  let server: PageServer;
  let opened: OpenedPage;

  beforeAll(async () => {
    await ensureBuild();
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await opened?.context.close();
    await server?.close();
  });

  const arrive = async (camera: Camera, behaviour: Partial<Behaviour> = {}) => {
    server = await startPageServer(behaviour);
    opened = await openPage(browser, camera);
    await opened.page.goto(server.url);
    return opened.page;
  };
  const text = () => opened.page.textContent('main');
  const tracks = () => opened.page.evaluate('window.cameraTracks.map((track) => track.readyState)');

  it('goes from consent to the closing screen, following the script', async () => {
    const page = await arrive('face');
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await untilScreen(page, 'privacy');
    const shown = server.behaviour.state;
    await press(page, 'agree');
    await untilScreen(page, 'position');
    for (const { prompt } of server.behaviour.steps) {
      await page.waitForSelector(`html[data-prompt="${prompt}"]`, { state: 'attached' });
      expect(await page.textContent('h1')).toBe(en.stage.prompts[prompt]);
    }
    await untilScreen(page, 'done');
    expect(await text()).toContain(en.done.close);

    const [capture] = server.captures;
    expect(capture?.state).toBe('submitted');
    expect(capture?.commit?.mime_type).toMatch(/^video\/webm/);
    expect(capture?.bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
    expect(capture?.commit?.duration_ms).toBeGreaterThan(2900);
    const plain = consentPlainText(consentText(en, shown));
    const sha256 = createHash('sha256').update(plain).digest('hex');
    expect(server.consents).toEqual([
      { decision: 'given', text_version: '2026-11', text_sha256: sha256, language: 'en' },
    ]);
    expect(server.events).toEqual(['camera_granted']);
    expect(await tracks()).toEqual(['ended']);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(opened.errors).toEqual([]);
    expect([...hosts]).toEqual([new URL(server.url).host]);
    expect(server.requests.filter((request) => request.startsWith('PATCH')).length).toBeGreaterThan(0);
  });

  it('sends the person exactly where the client wants', async () => {
    const target = 'https://client.example/Back/../here?a=1&b=%20#x';
    server = await startPageServer({
      state: openState({ consent: withoutConsent, exit_redirect_url: target }),
      judge: () => ({ ...DONE, redirect_url: target }),
    });
    opened = await openPage(browser, 'face');
    const { page, context } = opened;
    await context.route('https://client.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'the client’s page' }),
    );
    await page.goto(server.url);
    await press(page, 'start');
    await page.waitForURL('https://client.example/**');
    expect(page.url()).toBe(new URL(target).href);
  });

  it('leaves a frame of another origin through the top window', async () => {
    const target = 'https://client.example/done';
    server = await startPageServer({
      state: openState({ consent: withoutConsent }),
      judge: () => ({ ...DONE, redirect_url: target }),
    });
    opened = await openPage(browser, 'face');
    const { page, context } = opened;
    await context.route('https://client.example/**', (route) => route.fulfill({ body: 'the client’s page' }));
    const { port } = new URL(server.url);
    await page.goto(`http://localhost:${port}/frame`);
    await page.frameLocator('iframe').locator('[data-action="start"]').click();
    await page.waitForURL(target);
    expect(page.frames()).toHaveLength(1);
  });

  it('starts without a privacy screen where no consent is required; a refused camera can be allowed', async () => {
    const page = await arrive('denied_once', { state: openState({ consent: withoutConsent }) });
    await untilScreen(page, 'start');
    await press(page, 'start');
    await untilScreen(page, 'camera_denied');
    expect(await page.locator('.help li').count()).toBe(3);
    await press(page, 'retry-camera');
    await untilScreen(page, 'position');
    expect(server.events).toEqual(['camera_denied', 'camera_granted']);
    expect(server.consents).toEqual([]);
  });

  it.each([
    ['missing', en.cameraMissing.title],
    ['busy', en.cameraBusy.title],
  ] as const)('explains a camera that is %s', async (camera, title) => {
    const page = await arrive(camera, { state: openState({ consent: withoutConsent }) });
    await press(page, 'start');
    await untilScreen(page, `camera_${camera}`);
    expect(await page.textContent('h1')).toBe(title);
    await press(page, 'retry-camera');
    await untilScreen(page, `camera_${camera}`);
  });

  it('shows where the browser asks while it asks', async () => {
    const page = await arrive('never_answers', { state: openState({ consent: withoutConsent }) });
    await press(page, 'start');
    await untilScreen(page, 'camera_asking');
    expect(await text()).toContain(en.asking.where);
  });

  it('demands the tick where the client asks for it, and works by keyboard alone', async () => {
    const page = await arrive('face', {
      state: openState({ consent: { ...openState().consent, show_checkbox: true } }),
    });
    await untilScreen(page, 'privacy');
    await press(page, 'agree');
    expect(await text()).toContain(en.privacy.checkboxMissing);
    expect(await page.evaluate('document.activeElement.dataset.action')).toBe('consent');
    expect(server.consents).toEqual([]);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.dataset.action')).toBe('agree');
    await page.keyboard.press('Enter');
    await untilScreen(page, 'position');
    expect(server.consents).toHaveLength(1);
    expect(await page.evaluate('document.activeElement.id')).toBe('screen-title');
  });

  it('records a refusal of consent; the link stays usable', async () => {
    const page = await arrive('face');
    await press(page, 'decline');
    await untilScreen(page, 'declined');
    expect(server.consents.map(({ decision }) => decision)).toEqual(['declined']);
    expect(await tracks()).toEqual([]);
    await press(page, 'change-mind');
    await untilScreen(page, 'privacy');
    await press(page, 'agree');
    await untilScreen(page, 'position');
  });

  it('declining redirects where the client wants it', async () => {
    const page = await arrive('face', {
      state: openState({ exit_redirect_url: 'https://client.example/no' }),
    });
    await opened.context.route('https://client.example/**', (route) => route.fulfill({ body: 'back' }));
    await press(page, 'decline');
    await page.waitForURL('https://client.example/no');
  });

  it('goes on by hand where the detector cannot load', async () => {
    const page = await arrive('face', {
      state: openState({ consent: withoutConsent }),
      brokenAssets: /\.wasm$/,
    });
    await press(page, 'start');
    await untilScreen(page, 'position');
    await press(page, 'ready');
    await untilScreen(page, 'recording');
    await untilScreen(page, 'done');
  });

  it('offers "I’m ready" when no face is found', async () => {
    const page = await arrive('empty', { state: openState({ consent: withoutConsent }) });
    await press(page, 'start');
    await page.waitForSelector('[data-action="ready"]:visible', { timeout: 20_000 });
    await untilScreen(page, 'position');
    await press(page, 'ready');
    await untilScreen(page, 'recording');
    expect(await text()).toContain(en.stage.recording);
  });

  it('resumes an upload after lost connections, sending nothing twice', async () => {
    const fates = ['drop', 'take', 'lose', 'drop'] as const;
    const offsets: number[] = [];
    const page = await arrive('face', {
      state: openState({ consent: withoutConsent }),
      chunkBytes: 60_000,
      onAppend: (offset) => {
        offsets.push(offset);
        return fates[offsets.length - 1] ?? 'take';
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    const [capture] = server.captures;
    expect(offsets).toEqual([...offsets].sort((one, other) => one - other));
    expect(offsets.length).toBeGreaterThan(Math.ceil((capture?.bytes.length ?? 0) / 60_000));
    expect(capture?.state).toBe('submitted');
    expect(capture?.bytes.length).toBe(capture?.commit?.size_bytes);
    expect(server.captures).toHaveLength(1);
  });

  it('waits while offline and goes on by itself', async () => {
    let cut = false;
    const page = await arrive('face', {
      state: openState({ consent: withoutConsent }),
      chunkBytes: 60_000,
      onAppend: async (offset) => {
        if (offset === 0 || cut) return 'take';
        cut = true;
        await opened.context.setOffline(true);
        return 'drop';
      },
    });
    await press(page, 'start');
    await page.waitForSelector('.progress[data-phase="waiting"]', { timeout: 30_000 });
    expect(await text()).toContain(en.uploading.waitingBody);
    await opened.context.setOffline(false);
    await untilScreen(page, 'done');
    expect(server.captures).toHaveLength(1);
  });

  it('a reload in the middle of the upload goes on with the same video', async () => {
    let release = () => {};
    let reloaded = false;
    const page = await arrive('face', {
      state: openState({ consent: withoutConsent }),
      chunkBytes: 60_000,
      onAppend: async (offset) => {
        if (offset === 0 || reloaded) return 'take';
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return 'drop';
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'uploading');
    await expect.poll(() => server.captures[0]?.bytes.length, { timeout: 15_000 }).toBe(60_000);
    reloaded = true;
    await page.reload();
    release();
    await untilScreen(page, 'done');
    expect(server.captures).toHaveLength(1);
    expect(server.captures[0]?.state).toBe('submitted');
  });

  it('a reload before the recording goes on without asking for consent again', async () => {
    const page = await arrive('face');
    await press(page, 'agree');
    await untilScreen(page, 'position');
    await page.reload();
    await untilScreen(page, 'start');
    expect(await page.textContent('[data-action="start"]')).toBe(en.welcome.resume);
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    expect(server.consents).toHaveLength(1);
    expect(server.devices.size).toBe(1);
  });

  it('says why another try is needed, and takes it with a fresh script', async () => {
    const page = await arrive('face', {
      state: openState({ consent: withoutConsent }),
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
    expect(server.captures.map(({ state }) => state)).toEqual(['rejected', 'submitted']);
    expect(await tracks()).toEqual(['ended', 'ended']);
  });

  it('keeps waiting through a lost connection while the video is checked', async () => {
    let asked = 0;
    const page = await arrive('face', {
      state: openState({ consent: withoutConsent }),
      judge: async () => {
        asked += 1;
        if (asked === 1) return { ...DONE, status: 'processing', estimate_ms: 2_000 };
        if (asked === 2) throw new Error('worker restarts');
        return DONE;
      },
    });
    await press(page, 'start');
    await untilScreen(page, 'processing');
    await expect.poll(text).toContain(en.processing.estimate(2));
    await untilScreen(page, 'done');
    expect(asked).toBe(3);
  });

  it('tells when the link expires under the person’s hands', async () => {
    const page = await arrive('face');
    await untilScreen(page, 'privacy');
    server.behaviour.state = { ...server.behaviour.state, status: 'expired' };
    await press(page, 'agree');
    await untilScreen(page, 'expired');
    expect(await text()).toContain(en.deadEnds.expired.title);
  });

  it.each([
    ['used', openState({ status: 'completed', device_bound: true })],
    ['expired', openState({ status: 'expired' })],
    ['cancelled', openState({ status: 'cancelled' })],
    ['other_device', openState({ status: 'initiated', device_bound: true })],
  ] as const)('a link that is %s says so, and loads no detector', async (screen, state) => {
    const page = await arrive('face', { state });
    await untilScreen(page, screen);
    expect(await page.textContent('h1')).toBe(en.deadEnds[screen].title);
    expect(server.requests.filter((request) => request.includes('guidance'))).toEqual([]);
  });

  it('gives way to a device that was faster', async () => {
    const page = await arrive('face');
    await untilScreen(page, 'privacy');
    server.devices.add('the-token-of-the-other-device');
    await press(page, 'agree');
    await untilScreen(page, 'other_device');
    expect(server.consents).toEqual([]);
  });

  it('tells a browser that cannot record what to do', async () => {
    server = await startPageServer();
    opened = await openPage(browser, 'face');
    await opened.page.addInitScript({ content: 'delete window.MediaRecorder' });
    await opened.page.goto(server.url);
    await untilScreen(opened.page, 'unsupported');
    expect(await text()).toContain(en.deadEnds.unsupported.body);
  });

  it('shows the logo in its box, and the name where the logo fails', async () => {
    const { default: sharp } = await import('sharp');
    const logo = await sharp({ create: { width: 400, height: 120, channels: 3, background: '#0a66c2' } })
      .png()
      .toBuffer();
    const style = { ...openState().style, logo: true };
    const page = await arrive('face', { state: openState({ style }), logo });
    await page.waitForSelector('.logo[data-loaded] img');
    expect((await page.locator('.logo img').boundingBox())?.height).toBeLessThanOrEqual(36);
    server.behaviour.logo = null;
    await page.reload();
    await untilScreen(page, 'privacy');
    expect(await page.textContent('.bar')).toContain('Harbour Bank');
  });
});
