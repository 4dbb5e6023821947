// The connection is lost for a minute when the recording ends, before or after the server has its hash; and rarer ends.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { isChunk, isCommit, loseConnectionAt } from '../../web/support/lost-connection.ts';
import { visits } from '../../web/support/visit.ts';

const en = readTexts('en');

const AWAY_MS = 60_000;

describe('a minute without a connection', () => {
  const visit = visits();
  const reconnect = () => visit.opened.context.setOffline(false);
  const states = async () => (await visit.check.captures()).map(({ state }) => state);

  it(
    'before the server has the hash: another recording is asked for',
    async () => {
      const page = await loseConnectionAt(visit, isCommit);
      await expect.poll(visit.text).toContain(en.uploading.waitingUnsent);
      await page.waitForSelector('.progress[data-phase="late"]', { timeout: 15_000 });
      await page.waitForTimeout(AWAY_MS);
      expect(await visit.text()).toContain(en.uploading.lateBody);
      await reconnect();
      await untilScreen(page, 'retry');
      expect(await visit.text()).toContain(en.retry.reasons.upload_lost.body);
      expect(await page.evaluate('words')).not.toContain(en.uploading.waitingBody);
      await press(page, 'try-again');
      await untilScreen(page, 'done', 45_000);
      expect(await states()).toEqual(['abandoned', 'judged']);
    },
    AWAY_MS * 3,
  );

  it(
    'after the server has the hash: the same recording arrives',
    async () => {
      const page = await loseConnectionAt(visit, isChunk);
      await page.waitForTimeout(AWAY_MS);
      expect(await visit.text()).toContain(en.uploading.waitingBody);
      await reconnect();
      await untilScreen(page, 'done');
      expect(await states()).toEqual(['judged']);
    },
    AWAY_MS * 3,
  );

  it('another recording is asked for when a reload finds a promised video gone', async () => {
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
});
