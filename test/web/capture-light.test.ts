// The light of the capture page in a real browser: the surround changes as the code says, in time with the recording,
// and the person can switch it off where it is not required. Devices and settings:
// test/slow/web/light-settings.test.ts.
import { describe, expect, it } from 'vitest';
import { SYMBOL_MS, symbolOf } from '../../src/contract/screen-light.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import { HUES } from '../../web/capture/light/hues.ts';
import { press, untilScreen } from './support/browser.ts';
import { isLit, recordLit, rgbText } from './support/lit-take.ts';
import { visits } from './support/visit.ts';

const en = readTexts('en');

describe('the light of the capture page', () => {
  const visit = visits();

  it('plays its code on the surround, in time with the recording', async () => {
    const { page, code, lit, corner, hints } = await recordLit(visit);
    expect(lit).toBe(true);
    expect([rgbText(HUES.warm), rgbText(HUES.cool)]).toContain(corner);
    expect(hints).toMatchObject({ light: 'shown' });
    const startedAtMs = (await page.evaluate('window.startedAtMs')) as number;
    const colours = (await page.evaluate('window.colours')) as [number, string][];
    const coded = colours.filter(([atMs, colour]) => atMs >= startedAtMs && colour.startsWith('rgb('));
    expect(coded.length).toBeGreaterThan(4);
    for (const [atMs, colour] of coded) {
      const symbol = symbolOf(code, Math.floor((atMs - startedAtMs) / SYMBOL_MS));
      expect(colour).toBe(rgbText(symbol > 0 ? HUES.warm : HUES.cool));
    }
    // The light is off once the recording is over.
    expect(await isLit(page)).toBe(false);
    expect(visit.opened.errors).toEqual([]);
    expect(await page.evaluate('window.violations')).toEqual([]);
  });

  it('says what will be seen, and can be switched off, now and for the next time', async () => {
    const { page, lit, hints } = await recordLit(visit, {}, async (opened) => {
      await untilScreen(opened, 'position');
      const button = opened.locator('[data-action="light"]');
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      expect(await button.getAttribute('aria-label')).toBe(en.stage.light.button);
      await press(opened, 'light');
    });
    expect(lit).toBe(false);
    expect(hints).toMatchObject({ light: 'switched_off' });
    expect(await page.evaluate("localStorage.getItem('likeness-light')")).toBe('off');
  });
});
