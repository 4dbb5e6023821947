// One recording of the capture page, and what can be seen of the light in it.
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { parseHex } from '../../../web/capture/brand/contrast.ts';
import { leaveScreenshot, press, untilScreen } from './browser.ts';
import { LONG_TAKE_MS, type Visit } from './visit.ts';

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

/** A colour as a browser computes it. */
export const rgbText = (hex: string): string => `rgb(${parseHex(hex)!.join(', ')})`;
/** Whether the page's surround is lit. */
export const isLit = (page: Page) => page.evaluate("'lit' in document.documentElement.dataset");

/**
 * Records once from link to closing screen, looking a second into the recording. `before` runs once Start is pressed.
 */
export async function recordLit(
  visit: Visit,
  options: BrowserContextOptions = {},
  before?: (page: Page) => Promise<void>,
) {
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
