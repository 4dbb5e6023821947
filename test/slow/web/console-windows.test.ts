// Every page of the console on a phone and on a desk: of a service that is empty, and of one with 200 challenges.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { fillService, REFERENCE } from '../../web/support/busy-service.ts';
import {
  CONSOLE_PAGES,
  consolePageDir,
  expectAccessible,
  expectWhole,
  openConsolePage,
  WINDOWS,
} from '../../web/support/console.ts';

type Heading = (typeof CONSOLE_PAGES)[number][1];

let rig: HttpRig;
let browser: Browser;
let page: Page;
let url = '';

beforeAll(async () => {
  rig = await createHttpRig({ console: true, settings: { consolePageDir }, environment: { OIDC: 'on' } });
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  browser = await launchBrowser();
  page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.goto(`${url}/console`);
  await page.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await rig?.close();
});

/** Opens each page in a window of this size, does with it what `look` does, and finds nothing wrong with it. */
async function visit(
  [width, height]: (typeof WINDOWS)[number],
  name: string,
  look: (heading: Heading) => Promise<void>,
): Promise<void> {
  await page.setViewportSize({ width, height });
  for (const [address, heading] of CONSOLE_PAGES) {
    await openConsolePage(page, url, address, heading);
    await look(heading);
    await expectWhole(page, heading);
    await expectAccessible(page, `${name}-${width}-${heading}`);
  }
}

async function findOfReference(reference: string): Promise<void> {
  await page.getByLabel('Customer reference').fill(reference);
  await page.keyboard.press('Enter');
}

describe('an empty service', () => {
  const EMPTY: Readonly<Partial<Record<Heading, readonly (string | RegExp)[]>>> = {
    Overview: [
      'No challenges yet',
      'nobody yet',
      'the queue is empty',
      /^Create a challenge with a live key/,
    ],
    Challenges: [/^No challenges yet\. Create one with/],
    Deliveries: [/^No receiver yet\. Give a challenge an endpoint_url/, /^Nothing was sent yet\./],
    FeatureIDs: [/^No challenge of this reference/],
    Logins: ['There are no clients yet. Register the first one below.'],
  };

  it.each(WINDOWS)('says what to do first, %i px wide', async (...window) => {
    await visit(window, 'empty', async (heading) => {
      if (heading === 'FeatureIDs') await findOfReference('nobody');
      for (const words of EMPTY[heading] ?? []) await page.getByText(words).first().waitFor();
      expect(await page.getByText('Not counted').count()).toBe(0);
    });
  });
});

describe('a service with 200 challenges', () => {
  const PAGE_SIZE = 50;
  beforeAll(async () => {
    await fillService(rig, 200);
    // What was counted of the empty service is kept for a minute.
    rig.skewClock(61_000);
  });

  /** Rows of a list, whether it is a table or cards. */
  const rowsOf = (name: string) => page.getByRole('region', { name, exact: true }).locator('tbody > tr, dl');

  const LOOKS: Readonly<Partial<Record<Heading, () => Promise<void>>>> = {
    Overview: async () => {
      await expect
        .poll(() => page.locator('li', { hasText: 'Link created' }).textContent())
        .toBe('Link created200 100 %');
      await page.getByText('As a table').click();
      await expect.poll(() => rowsOf('By day, as a table').count()).toBe(30);
      for (const [group, rows] of Object.entries({ Browser: 3, Level: 1, Reason: 1 }))
        expect(await rowsOf(group).count(), group).toBe(rows);
      await page.getByRole('link', { name: 'https://customer-0.example/hooks/likeness' }).waitFor();
      for (const words of ['No challenges yet', 'Not counted', 'nobody yet'])
        expect(await page.getByText(words).count(), words).toBe(0);
    },
    Challenges: async () => {
      await page.getByRole('button', { name: 'Older' }).waitFor();
      expect(await rowsOf('Challenges').count()).toBe(PAGE_SIZE);
    },
    Deliveries: async () => {
      await page.getByRole('button', { name: 'Older' }).waitFor();
      await page.getByRole('button', { name: 'Show all 12 receivers' }).waitFor();
      expect([await rowsOf('Receivers').count(), await rowsOf('Deliveries').count()]).toEqual([
        10,
        PAGE_SIZE,
      ]);
    },
    FeatureIDs: async () => {
      await findOfReference(REFERENCE);
      await expect.poll(() => rowsOf('FeatureIDs').count()).toBe(1);
    },
    Retention: async () => expect(await rowsOf('Stored data').count()).toBeGreaterThan(1),
    'Audit log': async () => expect(await rowsOf('Audit log').count()).toBe(PAGE_SIZE),
  };

  it.each(WINDOWS)('can be read, %i px wide', async (...window) => {
    await visit(window, '200', async (heading) => {
      await LOOKS[heading]?.();
      if (window[0] === 390) expect(await page.locator('main table').count(), heading).toBe(0);
    });
  });

  it.each(WINDOWS)('says what could not be counted in time, %i px wide', async (width, height) => {
    await page.setViewportSize({ width, height });
    await page.route(/\/console\/api\/overview\?/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), days: null, outcomes: null } });
    });
    await page.reload();
    await openConsolePage(page, url, '/', 'Overview');
    await page.getByText('Not counted', { exact: true }).waitFor();
    // What is not known is not called nobody.
    expect(await page.getByText(/^Nobody|nobody yet/).count()).toBe(0);
    await expectAccessible(page, `uncounted-${width}`);
    await page.unrouteAll({ behavior: 'wait' });
  });
});
