// The guidance of the capture page as a person gets it: hints that follow the picture. Where the detector is late, fails
// or sees footage: test/slow/web.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../web/capture/build/messages.ts';
import { press, setScene, untilScreen } from './support/browser.ts';
import { LONG_TAKE_MS, visits } from './support/visit.ts';

const en = readTexts('en');

const HINT_TIMEOUT_MS = 20_000;

/** Notes what a screen reader is told. */
const NOTE_HEARD = `
  window.heard = [];
  for (const region of document.querySelectorAll('[aria-live]'))
    new MutationObserver(() => region.textContent && window.heard.push(region.textContent)).observe(region, { childList: true });
  undefined`;

describe('guidance of the capture page', () => {
  const visit = visits();

  it('hints change with the picture, and the recording starts by itself', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS });
    await setScene(page, { sees: false });
    await press(page, 'start');
    await untilScreen(page, 'position');
    const heading = (text: string) =>
      expect.poll(() => page.textContent('h1'), { timeout: HINT_TIMEOUT_MS }).toBe(text);
    await page.waitForSelector('.oval[data-hint="no_face"]', { timeout: HINT_TIMEOUT_MS });
    await heading(en.stage.hints.no_face);
    await setScene(page, { sees: true, scale: 0.45 });
    await heading(en.stage.hints.too_far);
    await setScene(page, { scale: 1, light: 0.15 });
    await heading(en.stage.hints.too_dark);
    expect(await page.locator('[data-action="ready"]').isVisible()).toBe(false);
    await setScene(page, { light: 1 });
    await page.evaluate(NOTE_HEARD);
    // No button is pressed.
    await untilScreen(page, 'recording', HINT_TIMEOUT_MS);
    const heard = (await page.evaluate('window.heard')) as string[];
    expect(heard.filter((text) => /hold still/i.test(text))).toEqual([en.stage.hints.ok]);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(visit.opened.logged).toEqual([]);
  });
});
