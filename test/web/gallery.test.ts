// Every screen of the capture page by itself, from 320 px to 4K, light and dark, left to right and right to left: nothing
// sticks out, targets are large enough, axe finds nothing, and a
// screenshot of each is left for people to look through where SCREENSHOTS_DIR says so.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import axe from 'axe-core';
import fastify, { type FastifyInstance } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { galleryPages } from '../../web/capture/gallery/pages.ts';
import { launchBrowser } from '../support/browser.ts';
import { cameraScript, leaveScreenshot } from './support/browser.ts';

interface Profile extends BrowserContextOptions {
  /** Language of the page; English where none is given. */
  lang?: string;
  /** Whether each screen is judged by axe and left as a screenshot. */
  looked?: boolean;
  /** Whether the camera screen may have to be scrolled, too. */
  scrolls?: boolean;
}

/** Of the camera: nothing here moves, and every frame is painted again. */
const FPS = 2;

/** Ways in which a browser makes letters larger and the window not. */
const ENLARGE: Readonly<Record<string, (page: Page, share: number) => Promise<unknown>>> = {
  'by a style of the reader’s': (page, share) =>
    page.evaluate(`document.documentElement.style.fontSize = '${share * 100}%'`),
  'by the browser’s text size': async (page, share) => {
    const debug = await page.context().newCDPSession(page);
    await debug.send('Page.setFontSizes', {
      fontSizes: { standard: 16 * share, fixed: Math.round(13 * share) },
    });
  },
};

/** Runs in the page: whether the text that consent is given to can be read, and the button be pressed. */
const READ_CONSENT = `(() => {
  const actions = document.querySelector('.actions');
  const text = document.querySelector('.fact dd');
  const covered = getComputedStyle(actions).position === 'sticky' ? actions.offsetHeight : 0;
  const agree = document.querySelector('[data-action="agree"]');
  agree.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = agree.getBoundingClientRect();
  return {
    lines: Math.floor((innerHeight - covered) / parseFloat(getComputedStyle(text).lineHeight)),
    letters: parseFloat(getComputedStyle(text).fontSize),
    reachable: agree.contains(document.elementFromPoint(left + width / 2, top + height / 2)),
    overflow: document.documentElement.scrollWidth - innerWidth,
    cut: [...document.querySelectorAll('.fact dd, .fact dt, .checkbox span, h1, .button__label')].filter(
      (each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline',
    ).length,
  };
})()`;

/** `zoomed`: a 1280×800 window at 200 %. `reflow`: one of 1280×1024 at 400 %, as of WCAG 1.4.10. */
const PROFILES: Readonly<Record<string, Profile>> = {
  phone: { viewport: { width: 390, height: 844 }, looked: true },
  phone_dark_arabic: {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    lang: 'ar',
    looked: true,
  },
  desktop: { viewport: { width: 1280, height: 800 }, lang: 'de' },
  phone_sideways: { viewport: { width: 844, height: 390 } },
  small: { viewport: { width: 320, height: 568 }, lang: 'de' },
  unfolded: { viewport: { width: 720, height: 800 } },
  zoomed: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  reflow: { viewport: { width: 320, height: 256 }, lang: 'de', scrolls: true },
  wall: { viewport: { width: 3840, height: 2160 } },
};

const RUN_AXE = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;

/** Runs in the page: what sticks out sideways, what is too small to hit (WCAG 2.2, 2.5.8 asks 24 px; ours is 44). */
const INSPECT = `({
  overflow: document.documentElement.scrollWidth - innerWidth,
  small: [...document.querySelectorAll('button, a.button, select')].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    return width > 0 && (height < 44 || width < 44);
  }).length,
  headings: document.querySelectorAll('h1').length,
  heading: document.querySelector('h1')?.textContent ?? '',
  stageOverflow: document.querySelector('.screen--stage') ? document.documentElement.scrollHeight - innerHeight : 0,
})`;

interface Inspection {
  overflow: number;
  small: number;
  headings: number;
  heading: string;
  stageOverflow: number;
}

describe('gallery of the capture page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-gallery-'));
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    const configFile = resolve(import.meta.dirname, '../../web/capture/vite.config.ts');
    await build({ configFile, mode: 'gallery', logLevel: 'error', build: { outDir: folder } });
    expect(readdirSync(folder)).toContain('gallery.html');
    app = fastify({ forceCloseConnections: true });
    await app.register(fastifyStatic, { root: folder });
    url = await app.listen({ host: '127.0.0.1', port: 0 });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(PROFILES))('every screen fits on %s', async (profile) => {
    const { lang = 'en', looked = false, scrolls = false, ...options } = PROFILES[profile]!;
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
    await context.addInitScript({ content: await cameraScript('face', FPS) });
    const page = await context.newPage();
    await page.goto(`${url}/gallery.html?camera&lang=${lang}#boot`);
    if (looked) await page.evaluate(axe.source);
    for (const name of Object.keys(galleryPages())) {
      await page.evaluate(`location.hash = '${name}'`);
      await page.waitForSelector(`html[data-screen="${name}"]`, { state: 'attached' });
      if (await page.$('.screen--stage'))
        await page.waitForFunction('document.querySelector("video").videoWidth > 0');
      const seen = (await page.evaluate(INSPECT)) as Inspection;
      expect.soft({ name, ...seen }).toMatchObject({ name, small: 0, headings: 1 });
      expect.soft(seen.overflow, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
      if (!scrolls) expect.soft(seen.stageOverflow, `${name} has to be scrolled`).toBeLessThanOrEqual(0);
      expect.soft(seen.heading, name).not.toBe('');
      if (!looked) continue;
      expect.soft(await page.evaluate(RUN_AXE), name).toEqual([]);
      await leaveScreenshot(page, `${profile}-${name}`);
    }
    await context.close();
  });

  describe.each(Object.keys(ENLARGE))('with larger letters %s', (way) => {
    const window = { viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' } as const;

    it.each(['en', 'de', 'ar'])('the consent text stays readable (%s)', async (lang) => {
      const context = await browser.newContext(window);
      const page = await context.newPage();
      await page.goto(`${url}/gallery.html?lang=${lang}#boot`);
      for (const share of [1, 1.25, 1.75, 2]) {
        await ENLARGE[way]!(page, share);
        for (const name of ['privacy', 'privacy_checkbox', 'privacy_long']) {
          await page.evaluate(`location.hash = '${name}'`);
          await page.waitForSelector(`html[data-screen="${name}"]`, { state: 'attached' });
          // Sizes are observed once the frame is laid out.
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
          const read = (await page.evaluate(READ_CONSENT)) as Record<string, number>;
          const asked = { name, share, reachable: true, cut: 0, letters: 15 * share };
          expect.soft({ name, share, ...read }).toMatchObject(asked);
          expect.soft(read.lines, `${name} at ${share}`).toBeGreaterThanOrEqual(8);
          expect.soft(read.overflow, `${name} at ${share}`).toBeLessThanOrEqual(0);
        }
      }
      await context.close();
    });

    it('no screen is wider than the window, and each has its heading and its buttons', async () => {
      const context = await browser.newContext(window);
      await context.addInitScript({ content: await cameraScript('face', FPS) });
      const page = await context.newPage();
      await page.goto(`${url}/gallery.html?camera&lang=de#boot`);
      await ENLARGE[way]!(page, 2);
      for (const name of Object.keys(galleryPages())) {
        await page.evaluate(`location.hash = '${name}'`);
        await page.waitForSelector(`html[data-screen="${name}"]`, { state: 'attached' });
        const seen = (await page.evaluate(INSPECT)) as Inspection;
        expect.soft({ name, ...seen }).toMatchObject({ name, small: 0, headings: 1 });
        expect.soft(seen.overflow, name).toBeLessThanOrEqual(0);
        await leaveScreenshot(page, `large-${name}`);
      }
      await context.close();
    });
  });
});
