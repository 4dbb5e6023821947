// A person on a bad line: a slow uplink, a long round trip, packet loss, and an outage in the middle of the recording.
// The person is told what happens, and does not go on recording what can no longer count.
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { goOn, takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { type LineQuality, openSlowLine, type SlowLine } from '../../support/slow-line.ts';
import { untilScreen } from '../../web/support/browser.ts';
import { readShown, recordShown } from '../../web/support/shown.ts';

const en = readTexts('en');
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

/** A village: 1 Mbit/s up, 400 ms round trip, one packet in twenty lost. */
const BAD: LineQuality = { upBitsPerSecond: 1e6, downBitsPerSecond: 1e7, roundTripMs: 400, loss: 0.05 };
const GOOD: LineQuality = { upBitsPerSecond: 1e8, downBitsPerSecond: 1e8, roundTripMs: 20, loss: 0 };
/** An outage too long for the recording to be saved. */
const LONG_MS = 10_000;

describe.skipIf(!HAS_FACES)(`a bad line${why}`, () => {
  const journey = useJourney({ LIVENESS_LEVEL: 'quick' });
  let context: BrowserContext | undefined;
  let line: SlowLine | undefined;

  afterEach(async () => {
    await context?.close();
    await line?.close();
    context = line = undefined;
  });

  /** Prepares a challenge and a page behind a line of this quality, for a person who reacts slowly. */
  async function arrive(quality: LineQuality): Promise<{ page: Page; url: string; id: string }> {
    line = await openSlowLine(journey.service.url, quality);
    const made = await journey.api.create({ liveness_only: true, require_consent: false });
    context = await journey.phone({ who: 'turning', reactionMs: 2_500 });
    const page = await context.newPage();
    await recordShown(page);
    const url = made.challenge_url.replace(new URL(made.challenge_url).origin, line.url);
    return { page, url, id: made.challenge_id };
  }
  /** Goes to the middle of the recording, when the first prompt has been answered. */
  async function record({ page, url }: { page: Page; url: string }): Promise<void> {
    await page.goto(url);
    await page.click('[data-action=start]');
    await untilScreen(page, 'recording', 60_000);
    await page.waitForSelector('.stage__steps i[data-done]', { state: 'attached' });
  }
  async function expectPass(id: string, page: Page): Promise<void> {
    const result = await journey.api.waitFor(id, ['completed']);
    const what = JSON.stringify([await readShown(page), result.diagnostics]);
    expect(result, what).toMatchObject({ overall_result: 'pass' });
  }

  it(
    '1 Mbit/s up, 400 ms, 5 % lost: the first recording counts',
    async () => {
      const { page, url, id } = await arrive(BAD);
      const walk = await takeChallenge(page, url, { timeoutMs: TAKE_TIMEOUT_MS });
      const what = JSON.stringify(await readShown(page));
      expect(walk, what).toMatchObject({ end: 'done' });
      expect(walk.screens, what).not.toContain('retry');
      await expectPass(id, page);
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'offline during the recording until the person has been told: the recording counts',
    async () => {
      const { page, url, id } = await arrive(GOOD);
      await record({ page, url });
      await context!.setOffline(true);
      await expect.poll(() => page.textContent('.stage__note')).toBe(en.uploading.waitingTitle);
      await context!.setOffline(false);
      await untilScreen(page, 'done', 60_000);
      const shown = await readShown(page);
      const words = shown.filter(({ screen }) => screen === 'recording').map(({ note }) => note);
      expect(words).toContain(en.uploading.waitingTitle);
      // The message goes when the outage is over.
      expect(words.at(-1)).not.toBe(en.uploading.waitingTitle);
      expect(shown.map(({ screen }) => screen)).not.toContain('retry');
      await expectPass(id, page);
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'offline for 10 s, which the browser does not notice: the lost recording is ended, and the next try counts',
    async () => {
      const { page, url, id } = await arrive(GOOD);
      await record({ page, url });
      await line!.cut();
      // The retry comes before the line is back and before the script, whose prompts wait 5 s each, is over.
      const waiting = page.waitForTimeout(LONG_MS);
      await untilScreen(page, 'retry', LONG_MS);
      expect(await page.textContent('main')).toContain(en.retry.reasons.upload_lost.title);
      const before = await readShown(page);
      expect(before.map(({ note }) => note)).toContain(en.uploading.waitingTitle);
      expect(before.map(({ screen }) => screen)).not.toContain('uploading');
      await waiting;
      await line!.mend();
      const walk = await goOn(page, { timeoutMs: TAKE_TIMEOUT_MS - 60_000 });
      expect(walk.end, JSON.stringify([walk, await readShown(page)])).toBe('done');
      await expectPass(id, page);
    },
    TAKE_TIMEOUT_MS,
  );
});
