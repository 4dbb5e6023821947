// The operator's page as tests open it: its list of pages, and what holds for each of them at any width.
import { resolve } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { leaveScreenshot } from './browser.ts';

export const consolePageDir = resolve(import.meta.dirname, '../../../build/web/console');

/** Address and heading of each; that of one challenge is not among them. */
export const CONSOLE_PAGES = [
  ['/', 'Overview'],
  ['/challenges', 'Challenges'],
  ['/deliveries', 'Deliveries'],
  ['/featids', 'FeatureIDs'],
  ['/accounts', 'Accounts'],
  ['/logins', 'Logins'],
  ['/retention', 'Retention'],
  ['/audit', 'Audit log'],
] as const;

/** A phone, whose tables are cards, and a desk. */
export const WINDOWS: readonly (readonly [width: number, height: number])[] = [
  [390, 844],
  [1440, 900],
];

/** `url`: of the server that serves the console. */
export async function openConsolePage(
  page: Page,
  url: string,
  address: string,
  heading: string,
): Promise<void> {
  await page.goto(`${url}/console#${address}`);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  expect(await page.getByText('This could not be read').count()).toBe(0);
}

/** `besides`: rules of axe that do not hold for what is shown. */
export async function expectAccessible(
  page: Page,
  name: string,
  besides: readonly string[] = [],
): Promise<void> {
  await leaveScreenshot(page, `console-${name}`);
  // Through the debugger, because the page's own policy admits no foreign script.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]))',
  );
  const left = (violations as [id: string, ...html: string[]][]).filter(([id]) => !besides.includes(id));
  expect(left, name).toEqual([]);
}

/** Nothing is cut off: every table can be read without scrolling sideways. */
export async function expectWhole(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow, name).toBeLessThanOrEqual(0);
  const beside = `[...document.querySelectorAll('section:has(> table)')].filter((place) => place.scrollWidth > place.clientWidth).map((place) => place.ariaLabel)`;
  expect(await page.evaluate(beside), name).toEqual([]);
}
