// What the page has shown, with the time of each change by its own clock: read in the end, so that looking costs nothing meanwhile.
import type { Page } from 'playwright-core';

/** One state of the page as a person sees it. */
export interface Shown {
  /** performance.now() of its first moment. */
  readonly atMs: number;
  readonly screen: string;
  /** Hint of the oval; null where there is none. */
  readonly hint: string | null;
  /** What stands below the oval. */
  readonly note: string;
  /** Heading of the screen. */
  readonly title: string;
}

/** Notes every change from the page's first script on. */
export async function noteShown(page: Page): Promise<void> {
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

export function shownBy(page: Page): Promise<Shown[]> {
  return page.evaluate('window.shown') as Promise<Shown[]>;
}
