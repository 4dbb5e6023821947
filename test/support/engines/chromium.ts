// Debian's chromium behind the same small interface as the other engines.
import { launchBrowser } from '../browser.ts';
import { type EngineBrowser, WINDOW } from './tab.ts';

/**
 * Starts a browser with one tab, whose camera is allowed.
 * @param init runs in every page before its own scripts
 */
export async function launchChromium(init = ''): Promise<EngineBrowser> {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: WINDOW });
  if (init) await page.addInitScript({ content: init });
  const setHidden = (hidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  return {
    version: `Chromium ${browser.version()}`,
    tab: {
      go: async (url) => void (await page.goto(url)),
      reload: async () => void (await page.reload()),
      back: async () => void (await page.goBack()),
      url: async () => page.url(),
      run: (expression) => page.evaluate(`(async () => await (${expression}) ?? null)()`),
      click: (selector) => page.click(selector, { timeout: 2_000 }),
      screenshot: () => page.screenshot(),
      // All headless tabs count as visible.
      cover: async () => void (await setHidden(true)),
      uncover: async () => void (await setHidden(false)),
    },
    close: () => browser.close(),
  };
}
