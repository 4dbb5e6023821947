// The guidance of the capture page as a person gets it: real Chromium, the built page, and the real server with its headers.
import { describe, expect, it } from 'vitest';
import { texts as en } from '../../web/capture/texts/en.ts';
import { press, setScene, untilScreen } from './support/browser.ts';
import { visits } from './support/visit.ts';

const HINT_TIMEOUT_MS = 20_000;

describe('guidance of the capture page', () => {
  const visit = visits();

  it('hints change with the picture, and the recording starts by itself', async () => {
    const page = await visit.arrive('face');
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
    // No button is pressed.
    await untilScreen(page, 'recording', HINT_TIMEOUT_MS);
    expect(await page.evaluate('window.violations')).toEqual([]);
    expect(visit.opened.errors).toEqual([]);
  });
});
