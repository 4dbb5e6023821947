// The capture page in a frame, and a check that continues elsewhere: on a phone, or in a tab of its own.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import fastify, { type FastifyReply } from 'fastify';
import { devices } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { scan } from '../../web/support/scan.ts';
import { ASKING, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

/** A client's page, of another origin, that frames the challenge. */
const framing = (attributes: string, challengeUrl: string) =>
  `<script>window.told = []; addEventListener('message', (event) => told.push(event.data))</script>
   <iframe src="${challengeUrl}" ${attributes} width="390" height="700"></iframe>`;

/** The example of docs/guides/embedding.md, as it stands there. */
function documentedFrame(challengeUrl: string): string {
  const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/guides/embedding.md'), 'utf8');
  const example = /^```html\n(.*?)^```$/ms.exec(guide)![1];
  return `<meta name="challenge-url" content="${challengeUrl}">${example}`;
}

describe('capture page in a frame and on two devices', () => {
  const visit = visits();
  const { text } = visit;
  const client = fastify({ forceCloseConnections: true });
  let clientUrl = '';
  beforeAll(async () => {
    const html = (reply: FastifyReply, body: string) => reply.type('text/html; charset=utf-8').send(body);
    client.get('/frame', (request, reply) =>
      html(
        reply,
        framing((request.query as { attributes?: string }).attributes ?? 'allow="camera"', visit.check.url),
      ),
    );
    client.get('/documented', (_request, reply) => html(reply, documentedFrame(visit.check.url)));
    await client.listen({ host: '127.0.0.1', port: 0 });
    clientUrl = `http://localhost:${(client.server.address() as AddressInfo).port}`;
  });
  afterAll(() => client.close());

  it('leaves a frame of another origin through the top window', async () => {
    const target = 'https://client.example/done';
    await visit.prepare({
      challenge: { require_consent: false, flow_behaviour: { exit_redirect_url: target } },
    });
    const { page, context } = await visit.tab('face');
    await context.route('https://client.example/**', (route) => route.fulfill({ body: 'the client’s page' }));
    await page.goto(`${clientUrl}/frame`);
    await page.frameLocator('iframe').locator('[data-action="start"]').click();
    await page.waitForURL(target);
    expect(page.frames()).toHaveLength(1);
  });

  it('tells the embedding page how the person is getting on, and no more', async () => {
    await visit.prepare({ challenge: ASKING });
    const { page } = await visit.tab('face');
    await page.goto(`${clientUrl}/frame`);
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

  it('is embedded by the guide’s example exactly as printed', async () => {
    await visit.prepare({ challenge: ASKING });
    const { page } = await visit.tab('face');
    await page.goto(`${clientUrl}/documented`);
    await page.frameLocator('#check').locator('[data-action="decline"]').click();
    await expect.poll(() => page.textContent('#after')).toMatch(/^You left the check/);
  });

  it('tells the embedding page the reason for a dead end', async () => {
    const { id } = await visit.prepare();
    await visit.rig.call('POST', `/v1/challenges/${id}/cancel`);
    const { page } = await visit.tab('face');
    await page.goto(`${clientUrl}/frame`);
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([{ source: 'likeness', event: 'failed', reason: 'cancelled' }]);
  });

  it('says what a frame with a sandbox lacks, to the person and to whoever embeds it', async () => {
    await visit.prepare();
    const { page, logged } = await visit.tab('face');
    await page.goto(`${clientUrl}/frame?attributes=${encodeURIComponent('sandbox="allow-scripts"')}`);
    const frame = page.frameLocator('iframe');
    await frame.getByText(en.cameraDenied.framed).waitFor();
    expect(await frame.locator('.address').textContent()).toBe(visit.check.url);
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([{ source: 'likeness', event: 'failed', reason: 'sandboxed_frame' }]);
    expect(logged.filter((text) => text.includes('allow-same-origin'))).toHaveLength(1);
    // With what is named, the check goes on.
    const enough = 'allow="camera" sandbox="allow-scripts allow-same-origin"';
    await page.goto(`${clientUrl}/frame?attributes=${encodeURIComponent(enough)}`);
    await frame.locator('[data-action="start"]').click();
    await frame.locator('html[data-state="done"]').waitFor({ state: 'attached', timeout: 45_000 });
  });

  it('continues in a tab of its own where the frame withholds the camera, and follows it to the end', async () => {
    await visit.prepare();
    const { page, context } = await visit.tab('denied');
    await page.goto(`${clientUrl}/frame?attributes=`);
    const frame = page.frameLocator('iframe');
    await frame.locator('[data-action="start"]').click();
    const opening = context.waitForEvent('page');
    const openTab = frame.locator('[data-action="open-tab"]');
    const link = (await openTab.getAttribute('href'))!;
    await openTab.click();
    await opening.then((tab) => tab.close());
    expect(await frame.locator('h1').textContent()).toBe(en.deadEnds.other_device.title);
    // Opens the same link in a tab whose camera works, as the virtual camera of this one refuses everywhere.
    const { page: tab } = await visit.tab('face');
    await tab.goto(link);
    await press(tab, 'start');
    await untilScreen(tab, 'done');
    await expect.poll(() => frame.locator('h1').textContent()).toBe(en.done.title);
    expect(await page.evaluate('told')).toContainEqual({ source: 'likeness', event: 'completed' });
  });

  it('hands a check from a computer to a phone by QR code, follows along and finishes by itself', async () => {
    const target = 'https://client.example/done';
    await visit.prepare({ challenge: { flow_behaviour: { exit_redirect_url: target } } });
    const { page, context } = await visit.tab('none', { viewport: { width: 1280, height: 800 } });
    await context.route('https://client.example/**', (route) => route.fulfill({ body: 'the client’s page' }));
    await page.goto(visit.check.url);
    await untilScreen(page, 'hand_off');
    expect(await text()).toContain(en.handOff.noCamera);
    const link = await scan(page);
    expect(link.startsWith(`${visit.check.url}#d=`)).toBe(true);

    const { page: phone } = await visit.tab('face', devices['Pixel 7']);
    await phone.goto(link);
    await untilScreen(phone, 'privacy');
    expect(phone.url()).toBe(visit.check.url);
    await press(phone, 'agree');
    await expect.poll(text).toContain(en.handOff.onPhone);
    await untilScreen(phone, 'done');
    expect(await phone.textContent('main')).toContain(en.handOff.goBack);
    await page.waitForURL(target);
  });

  it('shows the link itself where the QR code cannot be drawn, and a phone continues with it', async () => {
    await visit.prepare({ challenge: ASKING });
    const { page, context } = await visit.tab('none', { viewport: { width: 1280, height: 800 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.route(/qr-code-[^/]*\.js$/, (route) => route.abort());
    await page.goto(visit.check.url);
    await untilScreen(page, 'hand_off');
    await expect.poll(text).toContain(en.handOff.open);
    expect(await text()).not.toContain(en.handOff.scan);
    expect(await page.textContent('[role="status"]')).toBe(en.handOff.open);
    expect(await page.locator('.code').count()).toBe(0);
    const link = (await page.textContent('.address'))!;
    await press(page, 'copy-link');
    await expect.poll(text).toContain(en.inApp.copied);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);

    const { page: phone } = await visit.tab('face', devices['Pixel 7']);
    await phone.goto(link);
    await press(phone, 'agree');
    await expect.poll(text).toContain(en.handOff.onPhone);
    expect(await page.locator('.address, [data-action="copy-link"]').count()).toBe(0);
  });

  it('shows the link, selected, where the browser does not allow copying', async () => {
    await visit.prepare({ challenge: ASKING });
    const { page } = await visit.tab('none', { viewport: { width: 1280, height: 800 } });
    await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("not here"))');
    await page.goto(visit.check.url);
    await untilScreen(page, 'hand_off');
    expect(await page.locator('.address').isVisible()).toBe(false);
    await press(page, 'copy-link');
    await page.locator('.address').waitFor();
    expect(await page.evaluate('getSelection().toString()')).toBe(await scan(page));
    expect(await page.evaluate('document.activeElement.className')).toBe('address');
  });

  it('a hand-off survives a reload, and can be taken back', async () => {
    await visit.prepare();
    const { page } = await visit.tab('face', { viewport: { width: 1280, height: 800 } });
    await page.goto(visit.check.url);
    await press(page, 'use-phone');
    await untilScreen(page, 'hand_off');
    await page.reload();
    await untilScreen(page, 'hand_off');
    await press(page, 'here');
    await untilScreen(page, 'start');
    await press(page, 'start');
    await untilScreen(page, 'position');
  });

  it('a hand-off can be taken back from a phone that has begun', async () => {
    await visit.prepare();
    const { page } = await visit.tab('face', { viewport: { width: 1280, height: 800 } });
    await page.goto(visit.check.url);
    await press(page, 'use-phone');
    await untilScreen(page, 'hand_off');
    const link = await scan(page);
    const { page: phone, context } = await visit.tab('empty', devices['Pixel 7']);
    await phone.goto(link);
    await press(phone, 'start');
    await expect.poll(text).toContain(en.handOff.onPhone);
    // As if the phone's battery had run out.
    await context.close();
    await press(page, 'here');
    await untilScreen(page, 'start');
    await press(page, 'start');
    await untilScreen(page, 'position');
  });

  it('tells the computer when the link expires without a capture', async () => {
    await visit.prepare();
    const { page } = await visit.tab('face', { viewport: { width: 1280, height: 800 } });
    await page.goto(visit.check.url);
    await press(page, 'use-phone');
    await untilScreen(page, 'hand_off');
    await visit.check.expire();
    await untilScreen(page, 'expired');
  });
});
