// The console when things go wrong: a service that answers slowly, a lost connection, a button pressed twice.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { consolePageDir } from '../../web/support/console.ts';

let rig: HttpRig;
let browser: Browser;
let page: Page;
let url = '';

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
});
afterEach(() => page.context().close());

/** Call once in a `describe`: a service whose limit of sign-ins is its own. */
function useConsole(): void {
  beforeAll(async () => {
    rig = await createHttpRig({ console: true, settings: { consolePageDir } });
    url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => rig?.close());
}

describe('signing in when things go wrong', () => {
  useConsole();

  it('hears Enter before it knows what signing in requires, even where it has asked in vain', async () => {
    let [asked, answer] = [0, () => {}];
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/console/api/sign-in', async (route) => {
      asked += 1;
      if (asked === 1) return route.abort();
      await held;
      await route.continue();
    });
    await page.goto(`${url}/console`);
    await page.getByText('The service does not answer.').waitFor();
    await page.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Checking …' }).waitFor();
    answer();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});

describe('the console in trouble', () => {
  useConsole();
  beforeEach(async () => {
    await page.goto(`${url}/console`);
    await page.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  async function holdEnter(): Promise<void> {
    await page.getByRole('button', { name: 'Rotate webhook secret' }).focus();
    for (let times = 0; times < 2; times++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  }

  it('shows an answer that takes longer than the interval between polls', async () => {
    await rig.create({ liveness_only: true, customer_reference: 'slow one' });
    await page.route('**/console/api/challenges*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${url}/console#/challenges`);
    await page.getByText('slow one').waitFor({ timeout: 12_000 });
  });

  it('reads again after an answer that never came', async () => {
    await rig.create({ liveness_only: true, customer_reference: 'after silence' });
    // Shortens the console's timeout of twenty seconds to half a second.
    await page.addInitScript(() => {
      const within = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => within(ms / 40);
    });
    await page.route('**/console/api/challenges*', () => undefined, { times: 1 });
    await page.goto(`${url}/console?again#/challenges`);
    await page.getByText('The service does not answer.').waitFor();
    await page.getByText('after silence').waitFor();
  });

  it('does not sign out while the service cannot be reached, and says so', async () => {
    await page.route('**/console/api/logout*', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: /^Yes, end/ }).click();
    await page.getByText('The service does not answer.').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    expect(await page.getByLabel('Operator password').count()).toBe(0);
    await page.unroute('**/console/api/logout*');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Operator password').waitFor();
  });

  it.each([
    ['double click', () => page.getByRole('button', { name: 'Rotate webhook secret' }).dblclick()],
    ['held key', holdEnter],
  ] as const)('asks for confirmation after a %s, too', async (_slip, press) => {
    await page.goto(`${url}/console#/accounts`);
    // The page takes the focus when it sets its title.
    await page.waitForFunction("document.title.startsWith('Accounts')");
    await press();
    await page.getByRole('button', { name: /^Yes, rotate/ }).waitFor();
    expect(await page.getByText('Shown once').count()).toBe(0);
    await page.getByRole('button', { name: /^Yes, rotate/ }).click();
    await page.getByText('Shown once').waitFor();
  });
});
