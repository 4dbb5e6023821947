// The page of the API in real Chromium: what people do with it works, and nothing that it does reaches another host.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { IndexEntry } from '../../../src/http/documents/search-index.ts';
import { createHttpRig, type HttpRig } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';

const referencePageDir = resolve(import.meta.dirname, '../../../build/web/reference');
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let rig: HttpRig;
let browser: Browser;
let page: Page;
let origin = '';
let asked: string[] = [];

beforeAll(async () => {
  const settings = { referencePageDir, limits: { maxEventLoopDelayMs: 0 } };
  [rig, browser] = await Promise.all([createHttpRig({ settings }), launchBrowser()]);
  origin = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});
beforeEach(async () => {
  asked = [];
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(`
    window.violations = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      window.violations.push(violatedDirective + ' ' + blockedURI));`);
  page.on('request', (request) => asked.push(request.url()));
});
afterEach(async () => {
  // A data: address is a picture inside the page.
  expect(asked.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
  // The library tries whether it may compile code, and does without.
  expect(await page.evaluate('violations')).toEqual(['script-src eval']);
  await page.close();
});

/** Opens an anchor of the page; resolves with the part that it shows. */
async function open(anchor: string) {
  await page.goto(`${origin}/docs/api#${anchor}`);
  const part = page.locator(`[id$="${anchor}"]`).first();
  await part.waitFor();
  return part;
}

const openCreate = () => open('tag/challenges/createChallenge');

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
}
type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** What the document describes, the calls that the service makes included. */
async function operationsOfDocument(): Promise<Operation[]> {
  const answer = await fetch(`${origin}/openapi.json`);
  const { paths, webhooks } = (await answer.json()) as { paths: Operations; webhooks: Operations };
  return [paths, webhooks].flatMap((all) => Object.values(all).flatMap((path) => Object.values(path)));
}

it('has every operation in its sidebar, and finds one by its search', async () => {
  await openCreate();
  const sidebar = page.getByRole('navigation', { name: 'Sidebar for Likeness' });
  const operations = await operationsOfDocument();
  const tags = new Set(operations.flatMap((operation) => operation.tags));
  expect([...tags]).toEqual(['Challenges', 'Webhooks', 'FeatureIDs', 'Assets', 'Operation']);
  for (const tag of [...tags, 'Models']) {
    const group = sidebar.getByRole('button', { name: new RegExp(`^${tag}`) }).first();
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
  }
  const summaries = operations.map(({ summary }) => summary);
  await expect
    .poll(async () => (await sidebar.innerText()).split('\n'))
    .toEqual(expect.arrayContaining(summaries));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('erase a challenge');
  await page.getByRole('option', { name: 'Erase a challenge' }).click();
  await page.waitForURL('**#tag/challenges/eraseChallenge');
  await leaveScreenshot(page, 'api');
});

it('shows an operation as a call in several languages, at this address', async () => {
  const operation = await openCreate();
  const code = operation.locator('pre').first();
  const choose = async (shown: string, language: string) => {
    await operation.getByRole('button', { name: shown }).click();
    await page.keyboard.type(language);
    await page.getByRole('option').first().click();
  };
  await expect.poll(() => code.innerText()).toContain(`curl ${origin}/v1/create-challenge`);
  await choose('Shell Curl', 'undici');
  await expect.poll(() => code.innerText()).toContain(`await request('${origin}/v1/create-challenge'`);
  await choose('Node.js undici', 'requests');
  await expect.poll(() => code.innerText()).toContain(`requests.post(\n    "${origin}/v1/create-challenge"`);
});

it('calls this service with a sandbox key, which it keeps nowhere', async () => {
  const account = (await rig.accounts.find(rig.accountId))!;
  const { key } = await rig.accounts.createKey(account, { sandbox: true }, 'test');
  const operation = await openCreate();
  await operation.getByRole('button', { name: 'Test Request' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.cm-content').filter({ hasText: 'janedoe' }).click();
  await page.keyboard.type(key);
  const answered = page.waitForResponse(`${origin}/v1/create-challenge`);
  await dialog.getByRole('button', { name: 'Send' }).first().click();
  const answer = await answered;
  expect(answer.status()).toBe(201);
  const { challenge_id } = (await answer.json()) as { challenge_id: string };
  await dialog.getByText(challenge_id).first().waitFor();
  await leaveScreenshot(page, 'api-called');
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
    key,
  );
  await page.reload();
  await page.locator('[id$="createChallenge"]').first().waitFor();
  expect(await page.content()).not.toContain(key);
});

it('offers no other host anything: no chat, no client, no sharing', async () => {
  await openWhole();
  const links = await page
    .locator('a[href^="http"]')
    .filter({ visible: true })
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')!));
  expect(links.filter((href) => !href.startsWith(origin))).toEqual([]);
  for (const word of ['Ask AI', 'Open API Client', 'Share', 'Deploy', 'Generate MCP'])
    expect(await page.getByText(word, { exact: false }).filter({ visible: true }).count(), word).toBe(0);
});

it('is where the search of the documentation leads', async () => {
  const entries = (await (await fetch(`${origin}/docs/search.json`)).json()) as IndexEntry[];
  const anchors = entries
    .map(({ url }) => url.split('/docs/api#')[1])
    .filter((anchor) => anchor !== undefined);
  expect(anchors.length).toBeGreaterThan(20);
  for (const anchor of ['tag/featureids/revokeFeatid', 'model/ChallengeResult']) {
    expect(anchors).toContain(anchor);
    await page.goto('about:blank');
    const part = await open(anchor);
    await expect.poll(async () => (await part.boundingBox())?.y ?? -1).toBeLessThan(400);
  }
});

/** What axe looks for; without `runOnly`, by all of its rules. */
interface Looking {
  readonly runOnly?: readonly string[];
}

/** The rules of axe that the page breaks. */
const faults = async (looking: Looking) =>
  (await page.evaluate(
    `${axeSource}; axe.run(${JSON.stringify(looking)}).then(({ violations }) => violations.map(({ id }) => id))`,
  )) as string[];

/** The page is mended a moment after the library has drawn. */
const expectNoFaults = (looking: Looking = {}) =>
  expect.poll(() => faults(looking), { timeout: 30_000 }).toEqual([]);

/** Opens an operation and waits for the parts around it, which are drawn after it. */
async function openWhole() {
  const operation = await openCreate();
  await operation.getByRole('button', { name: 'Test Request' }).waitFor();
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Show More: Operation endpoints' }).waitFor();
  return operation;
}

it.each([
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const)('has no fault that axe finds, in %s colours, %i pixels wide', async (colorScheme, width) => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  const operation = await openWhole();
  await leaveScreenshot(page, `api-${colorScheme}-${width}`);
  // In other colours, the same parts are there.
  const looking = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {};
  await expectNoFaults(looking);
  await operation.getByRole('button', { name: 'Test Request' }).click();
  await page.getByRole('dialog').waitFor();
  await expectNoFaults(looking);
});

it('has no fault with every part opened', async () => {
  await openWhole();
  const closed = page.locator('button.show-more');
  // The last to be drawn, behind a button that may come late itself: until then there is little to find fault with.
  const last = page.locator('.collapsible-section-trigger').first();
  const openOne = async () => {
    if (await closed.count()) await closed.first().click();
    return { closed: await closed.count(), lastIsThere: await last.isVisible() };
  };
  await expect.poll(openOne, { timeout: 30_000 }).toEqual({ closed: 0, lastIsThere: true });
  await expectNoFaults();
});

it('can be used with keys: links, and a dialog that is left for where it was opened', async () => {
  await openWhole();
  await page.getByRole('link', { name: '/cancel' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**#tag/challenges/cancelChallenge');
  const current = page.locator('nav [aria-current=true]').first();
  await expect.poll(() => current.innerText()).toContain('Cancel an open challenge');
  const tries = page.locator('[id$="createChallenge"]').getByRole('button', { name: 'Test Request' }).first();
  await tries.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Headers, Value, idempotency-key' }).waitFor();
  const behind = page.locator('main.references-rendered');
  expect(await behind.evaluate((part) => (part as HTMLElement).inert)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => tries.evaluate((button) => button === document.activeElement)).toBe(true);
});
