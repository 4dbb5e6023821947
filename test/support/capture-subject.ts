// A capture subject using the page: presses what a person would press, screen by screen, until the page has nothing
// more to ask. The virtual camera decides what the camera sees.
import type { Page } from 'playwright-core';

/** Screens on which the page waits for a press, and the button (data-action) that continues. */
const NEXT_PRESS: Record<string, string> = {
  privacy: 'agree',
  start: 'start',
  retry: 'try-again',
};

/** Screens without a way on. */
const ENDS = new Set([
  'done',
  'declined',
  'expired',
  'used',
  'unknown_link',
  'other_device',
  'cancelled',
  'no_tries',
  'unsupported',
  'insecure',
  'hand_off',
  'in_app',
  'camera_denied',
  'camera_missing',
  'camera_busy',
  'failed',
]);

export interface Walk {
  /** Every screen that was shown, in order. */
  readonly screens: string[];
  /** The last of them; `left` when the page sent the person away. */
  readonly end: string;
  /** Recordings that the person had to start by hand because the guidance did not. */
  readonly startedByHand: number;
}

/** How long a person waits for the page to continue by itself once the button is there. */
const PATIENCE_MS = 8_000;

interface WalkOptions {
  readonly timeoutMs?: number;
  /** Pause between two looks at the page, each of which costs it time. */
  readonly pauseMs?: number;
  /** How often the person tries again before giving up on the retry screen; default: no limit. */
  readonly retries?: number;
  /** Called for each new screen. */
  readonly onScreen?: (name: string) => Promise<void>;
}

/** Opens the link and goes through the page to its end. */
export async function takeChallenge(page: Page, url: string, options: WalkOptions = {}): Promise<Walk> {
  await page.goto(url);
  return goOn(page, options);
}

/** Goes through the page from its current screen to its end. */
export async function goOn(page: Page, options: WalkOptions = {}): Promise<Walk> {
  const url = page.url();
  const screens: string[] = [];
  const deadline = Date.now() + (options.timeoutMs ?? 120_000);
  let offeredAtMs: number | null = null;
  let startedByHand = 0;
  let retried = 0;
  const redirects = await willRedirect(page);
  while (Date.now() < deadline) {
    const screen = await currentScreen(page, url);
    if (screen !== screens.at(-1)) {
      screens.push(screen);
      if (screen === 'retry' && retried === options.retries) return { screens, end: screen, startedByHand };
      if (screen === 'retry') retried += 1;
      await options.onScreen?.(screen);
    }
    if (screen === 'done' && redirects && (await leaves(page, url)))
      return { screens, end: 'left', startedByHand };
    if (screen === 'left' || ENDS.has(screen)) return { screens, end: screen, startedByHand };
    if (screen !== 'position') {
      offeredAtMs = null;
      await press(page, NEXT_PRESS[screen]);
    } else if (await page.locator('[data-action=ready]').isVisible()) {
      offeredAtMs ??= Date.now();
      if (Date.now() - offeredAtMs > PATIENCE_MS) {
        startedByHand += 1;
        await press(page, 'ready');
      }
    }
    await page.waitForTimeout(options.pauseMs ?? 100);
  }
  throw new Error(`the page did not come to an end: ${screens.join(' → ')}`);
}

async function currentScreen(page: Page, url: string): Promise<string> {
  if (!page.url().startsWith(new URL(url).origin)) return 'left';
  return (await page.evaluate(() => document.documentElement.dataset.state).catch(() => undefined)) ?? 'boot';
}

/** Whether the page knows where to send the person in the end. */
function willRedirect(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const state = JSON.parse(document.getElementById('challenge-state')?.textContent || '{}');
    return Boolean(state.exit_redirect_url);
  });
}

/** Waits for the redirect, before which the closing screen is shown for a moment; for longer where more follows. */
function leaves(page: Page, url: string): Promise<boolean> {
  const { origin } = new URL(url);
  return page
    .waitForURL((at) => at.origin !== origin, { timeout: 6_000 })
    .then(
      () => true,
      () => false,
    );
}

async function press(page: Page, action: string | undefined): Promise<void> {
  if (!action) return;
  // The screen may change meanwhile: a press that finds its button gone is repeated on the next screen.
  const checkbox = page.locator('[data-action=consent]');
  if (await checkbox.isVisible().catch(() => false)) await checkbox.check({ timeout: 2_000 }).catch(() => {});
  const button = page.locator(`[data-action=${action}]`);
  if (await button.isVisible().catch(() => false)) await button.click({ timeout: 2_000 }).catch(() => {});
}
