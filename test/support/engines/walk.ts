// A person at the page in any engine: presses the next button, screen by screen, until nothing more is asked.
import { readTexts } from '../../../web/capture/build/messages.ts';
import type { Tab } from './tab.ts';

const TOO_SLOW = readTexts('en').retry.reasons.too_slow.title;

/** Screens on which the page waits for a press, and the button (data-action) that continues. */
const NEXT_PRESS: Record<string, string> = { privacy: 'agree', start: 'start', retry: 'try-again' };
/** Screens on which the page continues by itself, sooner or later. */
const UNDER_WAY = [
  'boot',
  'camera_asking',
  'position',
  'preparing',
  'waiting',
  'recording',
  'uploading',
  'processing',
];
/** How long a person waits for the page to continue by itself once the button is there. */
const PATIENCE_MS = 8_000;

export interface EngineWalk {
  /** Every screen that was seen, in order; the page is looked at ten times a second. */
  readonly screens: string[];
  readonly end: string;
}

/** The page's screen; `boot` while there is none. */
export async function screenOf(tab: Tab): Promise<string> {
  return (await tab.run<string | null>('document.documentElement.dataset.state').catch(() => null)) ?? 'boot';
}

/** Waits until the page shows the screen. */
export async function until(tab: Tab, name: string, timeoutMs = 25_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let seen = ''; seen !== name; await pause(50)) {
    seen = await screenOf(tab);
    if (seen !== name && Date.now() > deadline) throw new Error(`the page shows ${seen}, not ${name}`);
  }
}

/**
 * Waits for the recording. The person starts it if the hints do not, and tries again if the page takes a loaded machine
 * for a device that is too slow.
 */
export async function untilRecording(tab: Tab, timeoutMs = 25_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let seen = ''; seen !== 'recording'; await pause(50)) {
    seen = await screenOf(tab);
    if (seen === 'position' && (await isShown(tab, '[data-action=ready]')))
      await press(tab, 'ready').catch(() => undefined);
    if (seen === 'retry' && (await isCalledTooSlow(tab)))
      await press(tab, 'try-again').catch(() => undefined);
    if (seen !== 'recording' && Date.now() > deadline)
      throw new Error(`the page shows ${seen}, not a recording`);
  }
}

async function isCalledTooSlow(tab: Tab): Promise<boolean> {
  const title = await tab.run<string | null>("document.querySelector('h1')?.textContent ?? null");
  return title === TOO_SLOW;
}

export function press(tab: Tab, action: string): Promise<void> {
  return tab.click(`[data-action="${action}"]`);
}

/**
 * Goes from the page's current screen to one without a way on.
 * @param meanwhile called between looks
 */
export async function walkToEnd(
  tab: Tab,
  timeoutMs: number,
  meanwhile?: () => Promise<void>,
): Promise<EngineWalk> {
  const screens: string[] = [];
  const deadline = Date.now() + timeoutMs;
  let offeredAtMs = 0;
  while (Date.now() < deadline) {
    await meanwhile?.();
    const screen = await screenOf(tab);
    if (screen !== screens.at(-1)) screens.push(screen);
    const next = NEXT_PRESS[screen];
    // The screen may change meanwhile: a press that finds its button gone is repeated on the next screen.
    if (next) await pressNext(tab, next).catch(() => undefined);
    else if (screen === 'position' && (await isShown(tab, '[data-action=ready]'))) {
      offeredAtMs ||= Date.now();
      if (Date.now() - offeredAtMs > PATIENCE_MS) await press(tab, 'ready').catch(() => undefined);
    } else if (!UNDER_WAY.includes(screen)) return { screens, end: screen };
    await pause(100);
  }
  throw new Error(`the page did not come to an end: ${screens.join(' → ')}`);
}

async function pressNext(tab: Tab, action: string): Promise<void> {
  const consent = '[data-action=consent]:not(:checked)';
  if (await isShown(tab, consent)) await tab.click(consent);
  await press(tab, action);
}

function isShown(tab: Tab, selector: string): Promise<boolean> {
  return tab.run(`document.querySelector(${JSON.stringify(selector)})?.checkVisibility() ?? false`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
