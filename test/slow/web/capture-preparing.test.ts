// The capture page between a face in place and its recording, and while it waits for the server: it says truthfully
// what stops it, and nobody holds still without being told.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, setScene, untilScreen } from '../../web/support/browser.ts';
import { visits } from '../../web/support/visit.ts';

const en = readTexts('en');
const TIMEOUT_MS = 120_000;

describe('the capture page before a recording', { timeout: TIMEOUT_MS }, () => {
  const visit = visits();
  const note = (page: Page) => page.textContent('.stage__note, .progress__note');

  /**
   * Looks until `seen` is shown. Like a person, it continues by hand if the detector had not loaded when the connection
   * went, and tries again if the machine really was too slow.
   */
  const until = (page: Page, look: () => Promise<string | null>, seen: string) =>
    expect
      .poll(
        async () => {
          for (const action of ['ready', 'try-again']) {
            const button = page.locator(`[data-action=${action}]`);
            if (await button.isVisible()) await button.click({ timeout: 2_000 }).catch(() => {});
          }
          return look().catch(() => null);
        },
        { timeout: 75_000, interval: 200 },
      )
      .toBe(seen);
  const untilEnd = (page: Page, name: string) =>
    until(page, () => page.getAttribute('html', 'data-state'), name);

  /** Goes as far as the camera, on a busy device. */
  async function rehearsing(before: (page: Page) => Promise<unknown>): Promise<Page> {
    const page = await visit.arrive('face');
    // Nothing goes on by itself before everything is set up.
    await setScene(page, { sees: false });
    await press(page, 'start');
    await page.waitForSelector('.oval[data-hint="no_face"]');
    // As if the page's timers had been late, so that it rehearses before a script is drawn.
    await page.evaluate('window.lostMs = 1_500');
    await expect.poll(() => page.evaluate('window.lostMs')).toBe(0);
    await before(page);
    await setScene(page, { sees: true });
    return page;
  }

  it('a link that has expired meanwhile is reported as expired, not as a slow device', async () => {
    const page = await rehearsing(() => visit.check.expire());
    await untilEnd(page, 'expired');
    expect(await visit.check.captures()).toEqual([]);
  });

  it('a lost connection is reported as such, and costs no try', async () => {
    const page = await rehearsing((opened) => opened.context().setOffline(true));
    await untilEnd(page, 'failed');
    expect(await visit.text()).toContain(en.failed.offline.title);
    await page.context().setOffline(false);
    await press(page, 'reload');
    await untilScreen(page, 'start');
    expect(await visit.check.captures()).toEqual([]);
  });

  it('a call that hangs is waited for no longer than a slice could wait', async () => {
    const page = await rehearsing((opened) => opened.route('**/state', () => new Promise(() => {})));
    await untilEnd(page, 'failed');
    expect(await visit.text()).toContain(en.failed.offline.title);
  });

  it('says that it takes longer when a script does not arrive, and the check can be left', async () => {
    const page = await visit.arrive('face');
    await page.route('**/captures', () => new Promise(() => {}));
    await press(page, 'start');
    await until(page, () => note(page), en.processing.longer);
    expect(await page.textContent('[role=status]')).toBe(en.processing.longer);
    await press(page, 'leave-check');
    await untilScreen(page, 'left');
  });

  it('says that it takes longer when the outcome does not arrive', async () => {
    const page = await visit.arrive('face');
    await page.route('**/outcome*', () => new Promise(() => {}));
    await press(page, 'start');
    await untilEnd(page, 'processing');
    await until(page, () => note(page), en.processing.longer);
    expect(await page.textContent('[role=status]')).toBe(en.processing.longer);
  });
});
