// The gallery of the capture page: every screen by itself, built, served and inspected in windows of many sizes.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import axe from 'axe-core';
import fastify, { type FastifyInstance } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import { galleryPages } from '../../../web/capture/gallery/pages.ts';
import { launchBrowser } from '../../support/browser.ts';
import { cameraScript, leaveScreenshot } from './browser.ts';

/** A window, and what is required of every screen in it. */
export interface Profile extends BrowserContextOptions {
  /** Language of the page; default: English. */
  lang?: string;
  /** Whether axe checks each screen and a screenshot is saved. */
  looked?: boolean;
  /** Whether the camera screen may need scrolling too. */
  scrolls?: boolean;
}

export interface Gallery {
  readonly browser: Browser;
  readonly url: string;
}

/** Frame rate of the camera: nothing moves here, and every frame costs a repaint. */
const FPS = 2;

const RUN_AXE = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`;

/** Runs in the page: what overflows sideways, what is too small to hit (WCAG 2.2, 2.5.8 asks 24 px; ours is 44). */
const INSPECT = `({
  overflow: document.documentElement.scrollWidth - innerWidth,
  small: [...document.querySelectorAll('button, a.button, a.link, select')].filter((each) => {
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

/** Builds and serves the gallery, with a browser; to be called once in a file's `describe`. */
export function openGallery(): Gallery {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-gallery-'));
  let app: FastifyInstance;
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    const configFile = resolve(import.meta.dirname, '../../../web/capture/vite.config.ts');
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
  return {
    get browser() {
      return browser;
    },
    get url() {
      return url;
    },
  };
}

/** Opens a tab with the gallery, before any screen is shown. */
export async function galleryPage(
  { browser, url }: Gallery,
  options: BrowserContextOptions,
  lang: string,
): Promise<Page> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  await context.addInitScript({ content: await cameraScript('face', FPS) });
  const page = await context.newPage();
  await page.goto(`${url}/gallery.html?camera&lang=${lang}#boot`);
  return page;
}

/** Goes to a screen by its name. */
export async function showScreen(page: Page, name: string): Promise<void> {
  await page.evaluate(`location.hash = '${name}'`);
  await page.waitForSelector(`html[data-screen="${name}"]`, { state: 'attached' });
}

/** Inspects every screen in a window. `name` is the profile's, for screenshots. */
export async function lookThrough(gallery: Gallery, name: string, profile: Profile): Promise<void> {
  const { lang = 'en', looked = false, scrolls = false, ...options } = profile;
  const page = await galleryPage(gallery, options, lang);
  if (looked) await page.evaluate(axe.source);
  for (const screen of Object.keys(galleryPages())) {
    await showScreen(page, screen);
    if (await page.$('.screen--stage'))
      await page.waitForFunction('document.querySelector("video").videoWidth > 0');
    const seen = await inspect(page, screen);
    if (!scrolls) expect.soft(seen.stageOverflow, `${screen} has to be scrolled`).toBeLessThanOrEqual(0);
    if (!looked) continue;
    expect.soft(await page.evaluate(RUN_AXE), screen).toEqual([]);
    await leaveScreenshot(page, `${name}-${screen}`);
  }
  await page.context().close();
}

/** Expects a heading, targets that are large enough and no overflow. */
export async function inspect(page: Page, screen: string): Promise<Inspection> {
  const seen = (await page.evaluate(INSPECT)) as Inspection;
  expect.soft({ screen, ...seen }).toMatchObject({ screen, small: 0, headings: 1 });
  expect.soft(seen.overflow, `${screen} is wider than the window`).toBeLessThanOrEqual(0);
  expect.soft(seen.heading, screen).not.toBe('');
  return seen;
}
