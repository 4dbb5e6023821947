// The guidance of the capture page as a person gets it: real Chromium, the built page, and the real server with its headers.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { texts as en } from '../../web/capture/texts/en.ts';
import { createHttpRig, type HttpRig } from '../http/http-rig.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Camera, ensureBuild, type OpenedPage, openPage, press, setScene, untilScreen } from './support/browser.ts';
import { BUILD_DIR } from './support/page-server.ts';

const HINT_TIMEOUT_MS = 20_000;

describe('guidance of the capture page on the real server', () => {
  let rig: HttpRig;
  let browser: Browser;
  let origin: string;
  let opened: OpenedPage;
  beforeAll(async () => {
    await ensureBuild();
    [rig, browser] = await Promise.all([
      createHttpRig({ settings: { capturePageDir: BUILD_DIR } }),
      launchBrowser(),
    ]);
    origin = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await rig?.close();
  });
  afterEach(() => opened?.context.close());

  async function arrive(camera: Camera) {
    const { path } = await rig.create({ liveness_only: true, require_consent: false });
    opened = await openPage(browser, camera);
    await opened.page.goto(`${origin}${path}`);
    return opened.page;
  }

  it('hints change with the picture, and the recording starts by itself', async () => {
    const page = await arrive('face');
    await setScene(page, { sees: false });
    await press(page, 'start');
    await untilScreen(page, 'position');
    const heading = (text: string) =>
      expect.poll(() => page.textContent('h1'), { timeout: HINT_TIMEOUT_MS }).toBe(text);
    await heading(en.stage.hints.no_face);
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: HINT_TIMEOUT_MS });
    await setScene(page, { sees: true, scale: 0.45 });
    await heading(en.stage.hints.too_far);
    await setScene(page, { scale: 1, light: 0.15 });
    await heading(en.stage.hints.too_dark);
    await setScene(page, { light: 1 });
    // No button is pressed.
    await untilScreen(page, 'recording', HINT_TIMEOUT_MS);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(opened.errors).toEqual([]);
  });
});
