// What an operator does at the desk, in a real browser on the real services: tells receivers apart and sends again, counts
// the sandbox apart, erases a person, signs in by name, and is not offered what the role may not do.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateApiKey, hintOfApiKey } from '../../../src/keys/api-key.ts';
import { configurationOf, settingsFor } from '../../http/console-people.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { type OpenidProvider, startOpenidProvider } from '../../support/openid-provider.ts';
import { consolePageDir, expectAccessible, openConsolePage } from '../../web/support/console.ts';

let rig: HttpRig;
let browser: Browser;
let page: Page;
let url = '';
let sandboxKey = '';

beforeAll(async () => {
  rig = await createHttpRig({ console: true, settings: { consolePageDir } });
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  const account = (await rig.accounts.find(rig.accountId))!;
  sandboxKey = (await rig.accounts.createKey(account, { sandbox: true }, 'test')).key;
  const hint = hintOfApiKey(generateApiKey('dev'));
  await rig.db
    .updateTable('api_key')
    .set({ hint })
    .where('account_id', '=', rig.accountId)
    .where('sandbox', '=', false)
    .execute();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});

/** Creates a challenge of the sandbox, which ends as `outcome` at once. */
async function endAs(outcome: string, notified: readonly string[] = []): Promise<void> {
  const complete = notified.map((path) => ({
    type: 'http',
    properties: { endpoint_url: `http://127.0.0.1:40404${path}?token=secret` },
  }));
  const body = {
    liveness_only: true,
    customer_reference: `sandbox:${outcome}`,
    ...(complete.length > 0 && { notifications: { complete } }),
  };
  const headers = { authorization: `Basic ${sandboxKey}` };
  const answer = await rig.call('POST', '/v1/create-challenge', body, headers);
  expect(answer.statusCode, answer.body).toBe(201);
}

const open = (address: string, heading: string) => openConsolePage(page, url, address, heading);

/** Deliveries to the receiver of this path, by status. */
async function statusesOf(path: string): Promise<string[]> {
  const listed = await page.evaluate(`fetch('/console/api/deliveries').then((answer) => answer.json())`);
  return (listed as { data: { endpoint: string; status: string }[] }).data
    .filter(({ endpoint }) => endpoint.endsWith(path))
    .map(({ status }) => status);
}

describe('an administrator with the shared password', () => {
  beforeAll(async () => {
    await rig.create({ liveness_only: true, customer_reference: 'live one' });
    await endAs('pass', ['/sound', '/broken']);
    for (let i = 0; i < 3; i++) await endAs('spoof', ['/sound', '/broken']);
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.goto(`${url}/console`);
    await page.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const [broken] = (
      (await page.evaluate(`fetch('/console/api/endpoints').then((answer) => answer.json())`)) as {
        data: { endpoint: string; receiver: string }[];
      }
    ).data.filter(({ endpoint }) => endpoint.endsWith('/broken'));
    await rig.db
      .updateTable('delivery')
      .set({ status: 'failed', next_attempt_at: null, finished_at: new Date() })
      .where('address_hash', '=', Buffer.from(broken!.receiver, 'hex'))
      .execute();
  });
  afterAll(() => page.context().close());

  it('counts live and sandbox challenges apart, and says which', async () => {
    await open('/', 'Overview');
    await page.getByText('Those of the sandbox are left out.').waitFor();
    const created = page.locator('li', { hasText: 'Link created' });
    await expect.poll(() => created.textContent()).toBe('Link created1 100 %');
    await page.getByText('Sandbox', { exact: true }).click();
    await page.getByText('nobody was checked in them').waitFor();
    await expect.poll(() => created.textContent()).toBe('Link created4 100 %');
    await expectAccessible(page, 'overview-sandbox');
    await page.getByText('Both', { exact: true }).click();
    await expect.poll(() => created.textContent()).toBe('Link created5 100 %');
    // The choice is part of the address.
    await page.reload();
    await expect.poll(() => created.textContent()).toBe('Link created5 100 %');
  });

  it('leads from the overview to the receiver that fails, whose path it names', async () => {
    await open('/', 'Overview');
    await page.getByRole('link', { name: 'http://127.0.0.1:40404/broken' }).click();
    await page.getByRole('heading', { name: 'Deliveries to http://127.0.0.1:40404/broken' }).waitFor();
    const receivers = page.getByRole('region', { name: 'Receivers' }).getByRole('row');
    await expect.poll(async () => (await receivers.nth(1).textContent())!).toContain('/broken');
    const listed = page.getByRole('region', { name: 'Deliveries' });
    await expect.poll(() => listed.getByRole('row', { name: /failed/ }).count()).toBe(4);
    expect(await listed.getByRole('row', { name: /sound/ }).count()).toBe(0);
    expect(await page.textContent('main')).not.toContain('token=');
    await expectAccessible(page, 'receiver');
  });

  it.each([1440, 390])('has the action in view at %i px', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await open('/deliveries', 'Deliveries');
    const box = await page.getByRole('button', { name: 'Send again' }).first().boundingBox();
    expect(box!.x).toBeGreaterThan(0);
    expect(box!.x + box!.width).toBeLessThan(width);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('finds deliveries by status and by receiver, and sends those that are ticked again', async () => {
    await open('/deliveries', 'Deliveries');
    const found = page.waitForResponse(
      (answer) => answer.url().includes('text=') && answer.url().includes('status='),
    );
    await page.getByLabel('Search').fill('/broken');
    await page.getByLabel('Status').selectOption('failed');
    await found;
    const ticks = page.getByRole('checkbox', { name: /^Tick msg_/ });
    await expect.poll(() => ticks.count()).toBe(4);
    expect(await page.getByRole('button', { name: 'Send ticked again' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Tick all of this page' }).check();
    await ticks.first().uncheck();
    await page.getByRole('button', { name: 'Send 3 again' }).click();
    await page.getByText('Queued: 3.').waitFor();
    expect((await statusesOf('/broken')).sort()).toEqual(['failed', 'pending', 'pending', 'pending']);
    await page.getByLabel('Search').fill('no such receiver');
    await page
      .getByText(/^No matching deliveries\. A receiver is looked for only in the newest 1,000 /)
      .waitFor();
  });

  it("finds a person's FeatureIDs by reference, and erases them for good, then everything", async () => {
    await open('/featids', 'FeatureIDs');
    await page.getByLabel('Customer reference').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText(/^No challenge of this reference/).waitFor();
    await page.getByLabel('Customer reference').fill('sandbox:pass');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await expectAccessible(page, 'erasing');
    await page.getByRole('button', { name: 'Yes, erase for good' }).click();
    await page.getByText('nobody is recognised by it any more').waitFor();
    await page.getByRole('cell', { name: 'erased', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Erase', exact: true }).count()).toBe(0);
    const challenges = page.getByRole('region', { name: 'Challenges', exact: true });
    await challenges.getByRole('button', { name: 'Erase everything' }).click();
    await challenges.getByRole('button', { name: 'Yes, erase 1 challenge for good' }).click();
    await page.getByText('Erased: 1.').waitFor();
    await page.getByText(/^No challenge of this reference/).waitFor();
    await challenges.waitFor({ state: 'detached' });
  });

  it('shows the first ten receivers, and all of them when asked', async () => {
    for (let i = 0; i < 10; i++) await endAs('pass', [`/further-${i}`]);
    await open('/deliveries', 'Deliveries');
    const receivers = page.getByRole('region', { name: 'Receivers' }).getByRole('row');
    await page.getByRole('button', { name: 'Show all 12 receivers' }).waitFor();
    expect(await receivers.count()).toBe(1 + 10);
    await page.getByRole('button', { name: 'Show all 12 receivers' }).click();
    await expect.poll(() => receivers.count()).toBe(1 + 12);
    await page.getByRole('button', { name: 'Show fewer receivers' }).click();
    await expect.poll(() => receivers.count()).toBe(1 + 10);
  });

  it('saves the assurance report, which the audit log notes', async () => {
    await open('/audit', 'Audit log');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Assurance report' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^likeness-assurance-20\d\d-\d\d-\d\d\.html$/);
    expect(await readFile(await saved.path(), 'utf8')).toContain('Not certified by any laboratory.');
    await page.reload();
    await page.getByRole('cell', { name: 'assurance.downloaded' }).first().waitFor();
  });

  it('does nothing in a tab whose browser has signed in again elsewhere, and says so', async () => {
    await open('/accounts', 'Accounts');
    const other = await page.context().newPage();
    await other.goto(`${url}/console`);
    await other.getByRole('button', { name: 'Sign out', exact: true }).click();
    await other.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('This browser has signed in again.').waitFor();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved: people read it').waitFor();
  });

  it('turns dark by its switch, and keeps it', async () => {
    await open('/retention', 'Retention');
    const scheme = () => page.getAttribute('html', 'data-mantine-color-scheme');
    expect(await scheme()).toBe('light');
    await page.getByText('Dark', { exact: true }).click();
    await expect.poll(scheme).toBe('dark');
    await page.reload();
    await expect.poll(scheme).toBe('dark');
    await page.getByText('System', { exact: true }).click();
    await expect.poll(scheme).toBe('light');
  });

  it('navigates by the burger on a phone, which holds the focus while it is open', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('/retention', 'Retention');
    await page.getByRole('button', { name: 'Navigation' }).click();
    await expect.poll(() => page.evaluate("document.querySelector('main').inert")).toBe(true);
    // The page behind the navigation is not to be reached, its head and landmark neither.
    await expectAccessible(page, 'navigation', ['landmark-one-main', 'page-has-heading-one']);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('nav').inert")).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('people who sign in by OpenID Connect', () => {
  let provider: OpenidProvider;
  beforeAll(async () => {
    provider = await startOpenidProvider();
    await configurationOf(rig).set(
      { ...settingsFor(provider), console_url: url },
      'the secret of the client',
      'test',
    );
  });
  afterAll(() => provider?.close());
  beforeEach(async () => {
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await page.goto(`${url}/console`);
  });
  afterEach(() => page.context().close());

  const signIn = (person: object) => {
    provider.person = { ...person };
    return page.getByRole('link', { name: 'Sign in with Company SSO' }).click();
  };

  it('are offered it first, the password beside it', async () => {
    const first = (await page.getByRole('link', { name: /^Sign in with/ }).boundingBox())!;
    const second = (await page.getByLabel('Operator password').boundingBox())!;
    expect(first.y).toBeLessThan(second.y);
    await expectAccessible(page, 'sign-in-openid');
  });

  it('see their name and role, and are not offered what a viewer may not do', async () => {
    await signIn({ sub: '1', name: 'Ana Sousa', groups: ['auditors'] });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('Ana Sousa').waitFor();
    await page.getByText('Role: viewer').waitFor();
    const reason = 'Only for the role operator. Yours is viewer.';
    await open('/deliveries', 'Deliveries');
    const again = page.getByRole('button', { name: 'Send again' }).first();
    await again.waitFor();
    expect([await again.isDisabled(), await again.getAttribute('title')]).toEqual([true, reason]);
    await page.getByText(`${reason} Ask whoever assigns the roles.`).waitFor();
    await expectAccessible(page, 'viewer-deliveries');
    await open('/featids', 'FeatureIDs');
    expect(await page.getByRole('button', { name: 'Find' }).isDisabled()).toBe(true);
    await open('/accounts', 'Accounts');
    for (const name of ['New live key', 'Rotate webhook secret', 'Save'])
      expect(await page.getByRole('button', { name }).first().isDisabled(), name).toBe(true);
    await page.getByText('development', { exact: true }).first().waitFor();
    await expectAccessible(page, 'viewer-accounts');
    await open('/audit', 'Audit log');
    await page.getByRole('cell', { name: 'Ana Sousa' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Assurance report' }).isDisabled()).toBe(true);
  });

  it('are told what to do if the provider gives them no role', async () => {
    await signIn({ sub: '2', name: 'Bo', groups: ['sales'] });
    await page.getByText('its claim groups gives you no role here. Ask whoever assigns the roles.').waitFor();
    await expectAccessible(page, 'no-role');
  });
});
