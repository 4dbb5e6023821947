// The capture page with several cameras, and in a browser that cannot use a camera.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, setScene, untilScreen } from '../../web/support/browser.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('cameras of the capture page', () => {
  const visit = visits();
  const { arrive, tracks } = visit;

  it('lets the person choose among cameras, remembers the choice and reports one that looks virtual', async () => {
    const page = await arrive('two', { takeMs: LONG_TAKE_MS });
    await press(page, 'start');
    await untilScreen(page, 'position');
    const list = page.locator('[data-action="choose-camera"]');
    expect(await list.locator('option').allTextContents()).toEqual(['Front camera', 'Virtual desk camera']);
    await list.selectOption('cam-b');
    await expect.poll(tracks).toEqual(['ended', 'live']);
    await page.reload();
    await press(page, 'start');
    await untilScreen(page, 'recording');
    expect(await page.evaluate('camerasAsked')).toEqual(['cam-b']);
    await untilScreen(page, 'done');
    expect((await visit.check.captures()).at(-1)?.hints?.camera_label_virtual).toBe(true);
  });

  it('asks for another camera where this one sees no colour, and records with it all the same', async () => {
    const page = await arrive('two');
    await setScene(page, { grey: true });
    await press(page, 'start');
    await untilScreen(page, 'position');
    const list = page.locator('[data-action="choose-camera"]');
    await list.selectOption('cam-b');
    await page.waitForSelector('.oval[data-hint="no_colour"]', { timeout: 20_000 });
    expect(await page.textContent('h1')).toBe(en.stage.otherCamera);
    expect(await list.isVisible()).toBe(true);
    await expect.poll(() => page.textContent('[role=status]')).toBe(en.stage.otherCamera);
    await press(page, 'ready');
    await untilScreen(page, 'done', 45_000);
  });

  it('says that the only camera sees no colour, and records without a press', async () => {
    const page = await arrive('face');
    await setScene(page, { grey: true });
    await press(page, 'start');
    await page.waitForSelector('.oval[data-hint="no_colour"]', { timeout: 20_000 });
    expect(await page.textContent('h1')).toBe(en.stage.hints.no_colour);
    await untilScreen(page, 'recording');
    await untilScreen(page, 'done', 45_000);
  });

  it('leads from an app’s own browser without a camera to the phone’s browser, with the same check', async () => {
    const userAgent =
      'Mozilla/5.0 (Linux; Android 16; Pixel 10; wv) AppleWebKit/537.36 Version/4.0 Chrome/156.0 Mobile Safari/537.36 Instagram 400.0';
    const alternative_url = 'https://client.example/branch';
    const challenge = { require_consent: false, flow_behaviour: { alternative_url } };
    const page = await arrive('missing', { challenge }, { userAgent });
    await press(page, 'start');
    await untilScreen(page, 'in_app');
    const href = await page.getAttribute('[data-action="open-outside"]', 'href');
    expect(href).toMatch(/^intent:.*#d=[\w-]{43}#Intent;scheme=http;end$/);
    expect(await page.getAttribute('[data-action="another-way"]', 'href')).toBe(alternative_url);
    // Most such browsers do not allow copying.
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not here"))');
    await press(page, 'copy-link');
    await page.locator('.address').waitFor();
    const written = new URL(await page.evaluate<string>('getSelection().toString()'));
    expect(href).toContain(written.hash);
    const { page: outside } = await visit.tab('face');
    await outside.goto(href!.replace(/^intent:/, 'http:').replace(/#Intent.*$/, ''));
    await untilScreen(outside, 'start');
    await press(outside, 'start');
    await untilScreen(outside, 'done');
  });
});
