// The capture page in a frame, and a check that goes on elsewhere: on a phone, in a tab of its own.
import { devices, type Page } from 'playwright-core';
import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { texts as en } from '../../web/capture/texts/en.ts';
import { press, untilScreen } from './support/browser.ts';
import { DONE } from './support/page-server.ts';
import { plainState, visits } from './support/visit.ts';

/** What a phone's camera reads on the screen. */
async function scan(page: Page): Promise<string> {
  await page.waitForSelector('.code svg');
  const picture = await page.locator('.code').screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQr({ width: info.width, height: info.height, data });
}

describe('capture page in a frame and on two devices', () => {
  const visit = visits();
  const { text } = visit;

  it('leaves a frame of another origin through the top window', async () => {
    const target = 'https://client.example/done';
    await visit.serve({
      state: plainState(),
      judge: () => ({ ...DONE, redirect_url: target }),
    });
    const { page, context } = await visit.tab('face');
    await context.route('https://client.example/**', (route) => route.fulfill({ body: 'the client’s page' }));
    const { port } = new URL(visit.server.url);
    await page.goto(`http://localhost:${port}/frame`);
    await page.frameLocator('iframe').locator('[data-action="start"]').click();
    await page.waitForURL(target);
    expect(page.frames()).toHaveLength(1);
  });

  it('tells the page around it how the person is getting on, and no more', async () => {
    await visit.serve();
    const { page } = await visit.tab('face');
    const { port } = new URL(visit.server.url);
    await page.goto(`http://localhost:${port}/frame`);
    const told = () => page.evaluate('told');
    const frame = page.frameLocator('iframe');
    await frame.locator('[data-action="agree"]').waitFor();
    await expect.poll(told).toEqual([{ source: 'likeness', event: 'ready' }]);
    await frame.locator('[data-action="decline"]').click();
    await expect.poll(told).toContainEqual({ source: 'likeness', event: 'cancelled' });
    await frame.locator('[data-action="change-mind"]').click();
    await frame.locator('[data-action="agree"]').click();
    await expect.poll(told, { timeout: 30_000 }).toEqual([
      { source: 'likeness', event: 'ready' },
      { source: 'likeness', event: 'cancelled' },
      { source: 'likeness', event: 'completed' },
    ]);
  });

  it('is embedded by the example of the guide as it stands there', async () => {
    await visit.serve();
    const { page } = await visit.tab('face');
    const { port } = new URL(visit.server.url);
    await page.goto(`http://localhost:${port}/documented`);
    await page.frameLocator('#check').locator('[data-action="decline"]').click();
    await expect.poll(() => page.textContent('#after')).toMatch(/^You left the check/);
  });

  it('tells a dead end by its name', async () => {
    await visit.serve({ state: plainState({ status: 'cancelled' }) });
    const { page } = await visit.tab('face');
    await page.goto(visit.server.url.replace(/\/c\/.*/, '/frame').replace('127.0.0.1', 'localhost'));
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([{ source: 'likeness', event: 'failed', reason: 'cancelled' }]);
  });

  it('goes on in a tab of its own where the frame withholds the camera, and follows it to the end', async () => {
    await visit.serve({ state: plainState() });
    const { page, context } = await visit.tab('denied');
    const { port } = new URL(visit.server.url);
    await page.goto(`http://localhost:${port}/frame?camera=withheld`);
    const frame = page.frameLocator('iframe');
    await frame.locator('[data-action="start"]').click();
    const opening = context.waitForEvent('page');
    const openTab = frame.locator('[data-action="open-tab"]');
    const link = (await openTab.getAttribute('href'))!;
    await openTab.click();
    await opening.then((tab) => tab.close());
    expect(await frame.locator('h1').textContent()).toBe(en.deadEnds.other_device.title);
    // The same link in a tab whose camera works: the virtual camera of this one refuses everywhere.
    const { page: tab } = await visit.tab('face');
    await tab.goto(link);
    await press(tab, 'start');
    await untilScreen(tab, 'done');
    await expect.poll(() => frame.locator('h1').textContent()).toBe(en.done.title);
    expect(await page.evaluate('told')).toContainEqual({ source: 'likeness', event: 'completed' });
  });

  it('hands a check from a computer to a phone by the code, follows along and finishes by itself', async () => {
    await visit.serve();
    const { page, context } = await visit.tab('none', { viewport: { width: 1280, height: 800 } });
    const target = 'https://client.example/done';
    visit.server.behaviour.state = { ...visit.server.behaviour.state, exit_redirect_url: target };
    await context.route('https://client.example/**', (route) => route.fulfill({ body: 'the client’s page' }));
    await page.goto(visit.server.url);
    await untilScreen(page, 'hand_off');
    expect(await text()).toContain(en.handOff.noCamera);
    const link = await scan(page);
    expect(link.startsWith(`${visit.server.url}#d=`)).toBe(true);

    const { page: phone } = await visit.tab('face', devices['Pixel 7']);
    await phone.goto(link);
    await untilScreen(phone, 'privacy');
    expect(phone.url()).toBe(visit.server.url);
    await press(phone, 'agree');
    await expect.poll(text).toContain(en.handOff.onPhone);
    // A third device has neither the code nor a way in.
    const { page: stranger } = await visit.tab('face');
    await stranger.goto(visit.server.url);
    await untilScreen(stranger, 'other_device');
    await untilScreen(phone, 'done');
    expect(await phone.textContent('main')).toContain(en.handOff.goBack);
    await page.waitForURL(target);
    expect(visit.server.devices.size).toBe(1);
  });

  it('a hand-off outlives a reload, and can be taken back', async () => {
    await visit.serve({ state: plainState() });
    const { page } = await visit.tab('face', { viewport: { width: 1280, height: 800 } });
    await page.goto(visit.server.url);
    await press(page, 'use-phone');
    await untilScreen(page, 'hand_off');
    await page.reload();
    await untilScreen(page, 'hand_off');
    await press(page, 'here');
    await untilScreen(page, 'start');
    await press(page, 'start');
    await untilScreen(page, 'position');
  });

  it('tells the computer when the link ends without a capture', async () => {
    await visit.serve({ state: plainState() });
    const { page } = await visit.tab('face', { viewport: { width: 1280, height: 800 } });
    await page.goto(visit.server.url);
    await press(page, 'use-phone');
    await untilScreen(page, 'hand_off');
    visit.server.behaviour.state = { ...visit.server.behaviour.state, status: 'expired' };
    await untilScreen(page, 'expired');
  });
});
