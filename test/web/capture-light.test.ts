// The light of the capture page in a real browser: its surround really changes by the code, in time with the recording, and
// the person can do without it where it is not required.
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { LightMode } from '../../src/contract/screen-light.ts';
import { SYMBOL_MS, symbolOf } from '../../src/contract/screen-light.ts';
import { parseHex } from '../../web/capture/brand/contrast.ts';
import { readTexts } from '../../web/capture/build/messages.ts';
import { HUES } from '../../web/capture/light/hues.ts';
import { leaveScreenshot, press, untilScreen } from './support/browser.ts';
import { LONG_TAKE_MS, visits } from './support/visit.ts';

const en = readTexts('en');

/** Notes when the recorder started, and every colour of the surround with its time. */
const WATCH = `
  window.colours = [];
  const start = MediaRecorder.prototype.start;
  MediaRecorder.prototype.start = function (...given) {
    this.addEventListener('start', ({ timeStamp }) => { window.startedAtMs = timeStamp; });
    return start.apply(this, given);
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((changes) => {
      const surround = document.querySelector('.surround');
      if (changes.some(({ target }) => target === surround))
        window.colours.push([performance.now(), getComputedStyle(surround).backgroundColor]);
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['style'] });
  });`;

const rgbText = (hex: string) => `rgb(${parseHex(hex)!.join(', ')})`;
const isLit = (page: Page) => page.evaluate("'lit' in document.documentElement.dataset");

describe('the light of the capture page', () => {
  const visit = visits();

  async function record(options: BrowserContextOptions = {}, before?: (page: Page) => Promise<void>) {
    const { url } = await visit.prepare({ takeMs: LONG_TAKE_MS });
    const { page } = await visit.tab('face', { reducedMotion: 'no-preference', ...options });
    await page.addInitScript({ content: WATCH });
    await page.goto(url);
    await untilScreen(page, 'start');
    const issuing = page.waitForResponse((answer) => answer.url().endsWith('/captures'));
    await press(page, 'start');
    await before?.(page);
    const { script } = await (await issuing).json();
    await untilScreen(page, 'recording');
    await page.waitForTimeout(1_000);
    const lit = await isLit(page);
    const corner = await cornerOf(page);
    await leaveScreenshot(page, `light-${options.colorScheme ?? 'light'}-${lit ? 'lit' : 'plain'}`);
    await untilScreen(page, 'done');
    const hints = (await visit.check.captures()).at(-1)?.hints;
    return { page, code: script.light?.code as string, lit, corner, hints };
  }

  /** Colour of a pixel that nothing but the surround paints. */
  async function cornerOf(page: Page): Promise<string> {
    const { data } = await sharp(await page.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return `rgb(${data[0]}, ${data[1]}, ${data[2]})`;
  }

  it('plays its code on the surround, by the clock of the recording', async () => {
    const { page, code, lit, corner, hints } = await record();
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
    // Nothing of it is left when the recording is over.
    expect(await isLit(page)).toBe(false);
    expect(visit.opened.errors).toEqual([]);
    expect(await page.evaluate('window.violations')).toEqual([]);
  });

  it('is light paper in a dark scheme as well, and dark again afterwards', async () => {
    const { page, lit, corner } = await record({ colorScheme: 'dark' });
    expect(lit).toBe(true);
    expect([rgbText(HUES.warm), rgbText(HUES.cool)]).toContain(corner);
    expect(
      await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--surface')"),
    ).toBe('#14181f');
  });

  it('says what will be seen, and can be switched off before and for the next time', async () => {
    const { page, lit, hints } = await record({}, async (opened) => {
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

  it.each([
    ['less movement', { reducedMotion: 'reduce' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const)('stays off where the device asks for %s', async (_, options) => {
    const { lit, hints } = await record(options);
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
