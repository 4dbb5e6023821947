// Every page that the service serves, in real Chromium under its real headers: no policy is violated, no error is
// logged, nothing that a page requests is missing, and no other host is contacted.
import { join, resolve } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSite } from '../../../src/http/documents/site.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';

const BUILD = resolve(import.meta.dirname, '..', '..', '..', 'build', 'web');
const DOCS = resolve(import.meta.dirname, '..', '..', '..', 'docs');

const FAULTS = `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`;

const NOTE_VIOLATIONS = `
  window.violations = [];
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
    window.violations.push([violatedDirective, blockedURI, sourceFile, lineNumber].join(' ')));`;

describe('pages in a browser', () => {
  let rig: HttpRig;
  let browser: Browser;
  let origin = '';
  let context: BrowserContext;
  let page: Page;
  let troubles: string[] = [];

  beforeAll(async () => {
    const settings = {
      capturePageDir: join(BUILD, 'capture'),
      consolePageDir: join(BUILD, 'console'),
      // A loaded test machine is slow, not saturated, so the delay is not measured.
      limits: { maxEventLoopDelayMs: 0 },
    };
    [rig, browser] = await Promise.all([createHttpRig({ console: true, settings }), launchBrowser()]);
    origin = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await rig?.close();
  });
  beforeEach(async () => {
    troubles = [];
    context = await browser.newContext();
    await context.addInitScript(NOTE_VIOLATIONS);
    page = await context.newPage();
    page.on('pageerror', (error) => troubles.push(`script: ${error}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
    });
    page.on('response', (answer) => {
      const asked = answer.request().isNavigationRequest();
      if (!asked && answer.status() >= 400) troubles.push(`${answer.status()} ${answer.url()}`);
    });
    page.on('request', (request) => {
      const { protocol } = new URL(request.url());
      if (protocol !== 'data:' && !request.url().startsWith(origin)) troubles.push(`asks ${request.url()}`);
    });
  });
  afterEach(() => context.close());

  async function look(path: string, shows: string, status = 200): Promise<void> {
    const answer = await page.goto(`${origin}${path}`, { waitUntil: 'load' });
    expect(answer?.status(), path).toBe(status);
    await page.getByText(shows).first().waitFor();
    await expectNoTrouble(path);
  }

  /** The browser reports a failed navigation as an error too; that one is expected. */
  async function expectNoTrouble(path: string): Promise<void> {
    const own = `Failed to load resource: the server responded with a status of`;
    expect({ path, violations: await page.evaluate('violations') }).toEqual({ path, violations: [] });
    expect({ path, troubles: troubles.filter((trouble) => !trouble.startsWith(own)) }).toEqual({
      path,
      troubles: [],
    });
  }

  it('behind links, live and dead', async () => {
    const live = await rig.create();
    await look(live.path, 'Before we start');
    const cancelled = await rig.create();
    await rig.call('POST', `/v1/challenges/${cancelled.challenge_id}/cancel`);
    await look(cancelled.path, 'This check was cancelled', 410);
    await look('/c/nonsense', 'This link isn’t valid', 404);
  });

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('in front, and of a trial, %i px wide in %s colours, which axe finds nothing wrong with', async (width, colorScheme) => {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    const expectFit = async (what: string) => {
      await leaveScreenshot(page, `${what}-${width}-${colorScheme}`);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), what).toBe(0);
      expect(await page.evaluate(FAULTS), what).toEqual([]);
    };
    await look('/', 'Likeness');
    await expectFit('front');
    await page.getByRole('button', { name: 'Create a challenge' }).click();
    await page.getByRole('img', { name: 'QR code with the link' }).waitFor();
    await expectNoTrouble('/try/camera');
    await expectFit('trial');
  });

  it('of the documentation, at the sizes of a desk and of a phone, which axe finds nothing wrong with', async () => {
    const faults: string[] = [];
    const beside = page.getByRole('navigation', { name: 'Documentation' });
    const paths = ['/docs', '/docs/errors', '/docs/errors/not-found', '/docs/configuration'];
    const inspect = async (what: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), what).toBe(0);
      const found = (await page.evaluate(FAULTS)) as string[];
      faults.push(...found.map((fault) => `${what}: ${fault}`));
    };
    for (const path of [...paths, ...readSite(DOCS).pages.keys()]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await look(path, 'Likeness documentation');
      expect(await beside.isVisible(), path).toBe(true);
      await inspect(`${path}, desk`);
      await page.setViewportSize({ width: 390, height: 844 });
      // As a page does that is loaded at this width: the last one below is.
      await page.evaluate("document.querySelector('.contents').open = false");
      expect(await beside.isVisible(), path).toBe(false);
      await inspect(`${path}, phone`);
      await expectNoTrouble(path);
    }
    expect(faults).toEqual([]);
    await page.getByText('Contents').click();
    await page.getByRole('link', { name: 'Quickstart' }).click();
    await page.waitForURL('**/docs/guides/quickstart', { waitUntil: 'load' });
    expect(await beside.isVisible()).toBe(false);
  }, 300_000);

  it('of the documentation find what is searched for, and copy commands', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await look('/docs/guides/quickstart', 'Quickstart');
    const first = page.locator('.copyable').first();
    await first.getByRole('button', { name: 'Copy' }).click();
    await first.getByRole('button', { name: 'Copied' }).waitFor();
    // The command without its dollar sign and without its output.
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npm start');
    await leaveScreenshot(page, 'guide');

    await page.keyboard.press('/');
    await page.keyboard.type('featid-paused');
    const results = page.locator('.search li');
    await results.first().waitFor();
    expect(await results.first().locator('a').getAttribute('href')).toBe('/docs/errors/featid-paused');
    await leaveScreenshot(page, 'guide-search');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors/featid-paused');
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    await leaveScreenshot(page, 'problem');
    await page.getByRole('searchbox').fill('no such word <b>');
    await page.getByText('Nothing found.').waitFor();
    await expectNoTrouble('/docs/errors/featid-paused');
  });

  it('of the console, signed in', async () => {
    await rig.create({ liveness_only: true });
    await page.goto(`${origin}/console`);
    await page.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    // Before the sign-in, the page asked whether somebody was signed in, and got 401.
    troubles = [];
    for (const heading of ['Overview', 'Challenges', 'Deliveries', 'Accounts', 'Retention', 'Audit log']) {
      const address = heading === 'Overview' ? '/' : `/${heading.split(' ')[0]!.toLowerCase()}`;
      await page.goto(`${origin}/console#${address}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await expectNoTrouble(`/console#${address}`);
    }
  });
});
