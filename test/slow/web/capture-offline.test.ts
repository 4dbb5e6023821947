// The connection is lost when the recording ends: what the page says is true at each moment, and what it can save is
// saved.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { isChunk, isCommit, loseConnectionAt, NOTE_WORDS } from '../../web/support/lost-connection.ts';
import { visits } from '../../web/support/visit.ts';

const en = readTexts('en');

/** For as long as the connection stays away once the page has said what is lost, or kept. */
const AWAY_MS = 3_000;

describe('the connection is lost when the recording ends', () => {
  const visit = visits();
  const words = (page: Page) => page.evaluate('words') as Promise<string[]>;
  const reconnect = () => visit.opened.context.setOffline(false);
  const states = async () => (await visit.check.captures()).map(({ state }) => state);

  it('until the page says so: nothing is promised before the server has the hash, and the video counts', async () => {
    const page = await loseConnectionAt(visit, isCommit);
    await expect.poll(visit.text).toContain(en.uploading.waitingUnsent);
    await reconnect();
    await untilScreen(page, 'done');
    expect(await words(page)).not.toContain(en.uploading.waitingBody);
    expect(await words(page)).not.toContain(en.uploading.lateTitle);
    expect(await states()).toEqual(['judged']);
  });

  it('after the hash: the video is kept, the time left is shown, and the video arrives', async () => {
    const page = await loseConnectionAt(visit, isChunk);
    await expect.poll(visit.text).toContain(en.uploading.waitingBody);
    await expect.poll(visit.text).toMatch(/Time left: 9:\d\d/);
    await page.waitForTimeout(AWAY_MS);
    await reconnect();
    await untilScreen(page, 'done');
    expect(await words(page)).not.toContain(en.uploading.waitingUnsent);
    expect(await states()).toEqual(['judged']);
  });

  it('until it is too late for the hash: another recording is asked for', async () => {
    const page = await loseConnectionAt(visit, isCommit);
    await expect.poll(visit.text).toContain(en.uploading.waitingUnsent);
    await page.waitForSelector('.progress[data-phase="late"]', { timeout: 15_000 });
    await page.waitForTimeout(AWAY_MS);
    expect(await visit.text()).toContain(en.uploading.lateBody);
    await reconnect();
    await untilScreen(page, 'retry');
    expect(await visit.text()).toContain(en.retry.reasons.upload_lost.body);
    expect(await words(page)).not.toContain(en.uploading.waitingBody);
    await press(page, 'try-again');
    await untilScreen(page, 'done', 45_000);
    expect(await states()).toEqual(['abandoned', 'judged']);
  });

  it('before the hash, and is back for a reload: the upload of the same video continues', async () => {
    const page = await loseConnectionAt(visit, isCommit);
    // The page stores the bytes for the reload while it makes the first attempt.
    await page.waitForTimeout(500);
    await reconnect();
    await page.reload();
    await untilScreen(page, 'done');
    const captures = await visit.check.captures();
    expect(captures.map(({ state }) => state)).toEqual(['judged']);
    expect(captures[0]?.received_bytes).toBe(captures[0]?.size_bytes);
  });

  it('after the hash, and is back for a reload that finds the video gone: another recording is asked for', async () => {
    const page = await loseConnectionAt(visit, isChunk);
    await page.waitForTimeout(500);
    await page.evaluate('sessionStorage.removeItem("likeness-pending-key")');
    // The connection is back for the reload, not for the page being left, which still has the bytes to send.
    await page.route('**/captures/**', (route) =>
      isChunk(route.request()) ? route.abort() : route.continue(),
    );
    await reconnect();
    await page.reload();
    await untilScreen(page, 'retry');
    expect(await visit.text()).toContain(en.retry.reasons.upload_lost.title);
  });

  it('is not what the page says of a service that answers with errors until it is too late', async () => {
    const { url } = await visit.prepare();
    const { page, context } = await visit.tab('face');
    await page.goto(url);
    await page.evaluate(NOTE_WORDS);
    await context.route('**/commit', (route) => route.fulfill({ status: 503, body: '{}' }));
    await press(page, 'start');
    await expect.poll(visit.text, { timeout: 45_000 }).toContain(en.processing.longer);
    await context.unroute('**/commit');
    await untilScreen(page, 'retry');
    expect(await words(page)).not.toContain(en.uploading.lateTitle);
  });
});
