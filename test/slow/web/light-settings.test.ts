// How the light of the capture page depends on the device's preferences and the operator's setting.
import { describe, expect, it } from 'vitest';
import type { LightMode } from '../../../src/contract/screen-light.ts';
import { HUES } from '../../../web/capture/light/hues.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { isLit, recordLit, rgbText } from '../../web/support/lit-take.ts';
import { LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

describe('the light of the capture page', () => {
  const visit = visits();

  it('lights the page in a dark scheme too, and leaves it dark afterwards', async () => {
    const { page, lit, corner } = await recordLit(visit, { colorScheme: 'dark' });
    expect(lit).toBe(true);
    expect([rgbText(HUES.warm), rgbText(HUES.cool)]).toContain(corner);
    expect(
      await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--surface')"),
    ).toBe('#14181f');
  });

  it.each([
    ['less movement', { reducedMotion: 'reduce' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const)('stays off where the device asks for %s', async (_, options) => {
    const { lit, hints } = await recordLit(visit, options);
    expect(lit).toBe(false);
    expect(hints).toMatchObject({ light: 'device_preference' });
  });
});

describe.each([
  ['off', 0],
  ['require', 1],
] as const)('LIVENESS_LIGHT=%s', (mode: LightMode, shown) => {
  const visit = visits({ LIVENESS_LIGHT: mode });

  it('offers no switch', async () => {
    const page = await visit.arrive('face', { takeMs: LONG_TAKE_MS }, { reducedMotion: 'reduce' });
    await press(page, 'start');
    await untilScreen(page, 'position');
    expect(await page.locator('[data-action="light"]').isVisible()).toBe(false);
    await untilScreen(page, 'recording');
    await page.waitForTimeout(400);
    expect(await isLit(page)).toBe(shown === 1);
    await untilScreen(page, 'done');
    const light = (await visit.check.captures())[0]?.hints?.light;
    expect(light).toBe(shown === 1 ? 'shown' : undefined);
  });
});
