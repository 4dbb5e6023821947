// What the page has shown, with the time of each change by its own clock. It is read at the end, so that the page is
// not slowed down meanwhile.
import type { Page } from 'playwright-core';

/** One state of the page, as a person sees it. */
export interface Shown {
  /** performance.now() when it appeared. */
  readonly atMs: number;
  readonly screen: string;
  /** The oval's hint; null if there is none. */
  readonly hint: string | null;
  /** Text below the oval. */
  readonly note: string;
  /** Heading of the screen. */
  readonly title: string;
}

/** Notes every change from the page's first script on. */
export async function recordShown(page: Page): Promise<void> {
  await page.addInitScript({
    content: `{
      window.shown = [];
      const look = () => {
        const now = {
          screen: document.documentElement.dataset.state ?? 'boot',
          hint: document.querySelector('.oval')?.dataset.hint ?? null,
          note: document.querySelector('.stage__note')?.textContent ?? '',
          title: document.querySelector('h1')?.textContent ?? '',
        };
        const last = window.shown.at(-1);
        if (last && Object.keys(now).every((key) => now[key] === last[key])) return;
        window.shown.push({ atMs: performance.now(), ...now });
      };
      new MutationObserver(look).observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: ['data-state', 'data-hint'],
      });
    }`,
  });
}

export function readShown(page: Page): Promise<Shown[]> {
  return page.evaluate('window.shown') as Promise<Shown[]>;
}
