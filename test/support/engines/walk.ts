// A person at the page in any engine: presses what is to be pressed, screen by screen, until there is nothing more to ask.
import { readTexts } from '../../../web/capture/build/messages.ts';
import type { Tab } from './tab.ts';

const TOO_SLOW = readTexts('en').retry.reasons.too_slow.title;

/** Screens in which the page waits for a press, and the button (data-action) that goes on. */
const NEXT_PRESS: Record<string, string> = { privacy: 'agree', start: 'start', retry: 'try-again' };
/** Screens in which the page goes on by itself, sooner or later. */
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
/** So long a person waits for the page to go on by itself once the button is there. */
const PATIENCE_MS = 8_000;

export interface EngineWalk {
  /** Every screen that was shown, in order; looked at ten times a second. */
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
 * Waits for the recording; where the hints do not start it, the person does, and once more where the page takes a loaded machine
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
 * Goes on from where the page stands to a screen without a way on.
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
    // The screen may change under the hand: a press that finds its button gone is made again on the next screen.
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
