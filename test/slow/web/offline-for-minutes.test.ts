// The connection is away for a minute when the recording ends, before and after the server has its hash; and the rarer ends.
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { texts as en } from '../../../web/capture/texts/en.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { visits } from '../../web/support/visit.ts';

const AWAY_MS = 60_000;

describe('a minute without a connection', () => {
  const visit = visits();

  it.each([
    ['before', (request: Request) => request.url().endsWith('/commit'), ['abandoned', 'judged']],
    ['after', (request: Request) => request.method() === 'PATCH', ['judged']],
  ])(
    '%s the hash is there',
    async (_when, kind, states) => {
      const { url } = await visit.prepare();
      const { page, context } = await visit.tab('face');
      await page.goto(url);
      await press(page, 'start');
      await context.route('**/captures/**', async (route) => {
        if (!kind(route.request())) return route.continue();
        await context.unroute('**/captures/**');
        await context.setOffline(true);
        await route.abort('internetdisconnected');
      });
      await page.waitForSelector('.progress[data-phase="waiting"]', { timeout: 60_000 });
      await page.waitForTimeout(AWAY_MS);
      const kept = states.length === 1;
      expect(await visit.text()).toContain(kept ? en.uploading.waitingBody : en.uploading.lateBody);
      await context.setOffline(false);
      if (!kept) {
        await untilScreen(page, 'retry');
        await press(page, 'try-again');
      }
      await untilScreen(page, 'done', 45_000);
      expect((await visit.check.captures()).map(({ state }) => state)).toEqual(states);
    },
    AWAY_MS * 3,
  );

  it('a promised video that a reload finds gone is asked for once more', async () => {
    const { url } = await visit.prepare();
    const { page, context } = await visit.tab('face');
    await page.goto(url);
    await press(page, 'start');
    await context.route('**/captures/*?offset=*', (route) => route.abort('internetdisconnected'));
    await page.waitForSelector('.progress[data-phase="waiting"]', { timeout: 60_000 });
    await page.evaluate('sessionStorage.removeItem("likeness-pending-key")');
    await page.reload();
    await untilScreen(page, 'retry');
    expect(await visit.text()).toContain(en.retry.reasons.upload_lost.title);
  });
});
