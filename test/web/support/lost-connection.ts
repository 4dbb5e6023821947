// Cuts the connection of a visit at a chosen request, as happens when a recording ends in a lift.
import type { Page, Request } from 'playwright-core';
import { press } from './browser.ts';
import type { Visit } from './visit.ts';

/** The commit that ends a recording. */
export const isCommit = (request: Request): boolean => request.url().endsWith('/commit');
/** A chunk of its bytes. */
export const isChunk = (request: Request): boolean =>
  /\/cap_\w+\/bytes$/.test(new URL(request.url()).pathname);

/** Notes every sentence that the page shows while it uploads, in order of first appearance, in `window.words`. */
export const NOTE_WORDS = `
  window.words = [];
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.screen--progress :is(h1, .lead)'))
      if (textContent && !window.words.includes(textContent)) window.words.push(textContent);
  }).observe(document.documentElement, { subtree: true, childList: true, characterData: true });
  undefined`;

/**
 * Takes a fresh check to the first request of the kind, and cuts the connection before it is sent. Chunks are held back
 * until the server has the commit, as on a line that is too slow for them.
 */
export async function loseConnectionAt(visit: Visit, kind: (request: Request) => boolean): Promise<Page> {
  const { url } = await visit.prepare();
  const { page, context } = await visit.tab('face');
  await page.goto(url);
  await page.evaluate(NOTE_WORDS);
  await press(page, 'start');
  let cut = () => {};
  const isCut = new Promise<void>((resolve) => {
    cut = resolve;
  });
  const pattern = '**/captures/**';
  const committed = page.waitForResponse((response) => isCommit(response.request()), { timeout: 60_000 });
  committed.catch(() => {});
  await context.route(pattern, async (route) => {
    if (!kind(route.request())) return route.continue();
    if (isChunk(route.request())) await committed;
    await context.setOffline(true);
    await route.abort('internetdisconnected');
    cut();
  });
  await isCut;
  await context.unroute(pattern);
  return page;
}
