// A device whose processor is 6 and 20 times slower (Chromium's own throttling of the page). The person gets hints, and
// either a recording that keeps its pictures or a message that the device is too slow; never an end without a reason.
// No try is lost to a recording that the device could not make.
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { ENOUGH_FPS } from '../../../web/capture/camera/pace.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { describeRecording, KEEP_RECORDING, recordingOf } from '../../support/engines/recordings.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { useJourney } from '../../support/journey.ts';
import { readShown, recordShown } from '../../web/support/shown.ts';

const en = readTexts('en');
/** How often a person tries again on a page that takes seconds for each step. */
const RETRIES = 3;
const SLOW_TIMEOUT_MS = 240_000;

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`a slow device${why}`, () => {
  const journey = useJourney({ LIVENESS_LEVEL: 'quick' });
  let context: BrowserContext;
  afterEach(() => context?.close());

  async function open(slowdown: number): Promise<Page> {
    context = await journey.phone({ who: 'turning', reactionMs: 600, ownProcessor: true });
    const page = await context.newPage();
    await recordShown(page);
    await page.addInitScript({ content: KEEP_RECORDING });
    const debug = await context.newCDPSession(page);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    return page;
  }

  it.each([6, 20])(
    '%i times slower: keeps its pictures or says that it cannot, and ends with a verdict or a true reason',
    async (slowdown) => {
      const made = await journey.api.create({ liveness_only: true, require_consent: false });
      const page = await open(slowdown);
      const walk = await takeChallenge(page, made.challenge_url, {
        timeoutMs: SLOW_TIMEOUT_MS - 20_000,
        retries: RETRIES,
        // Each look costs the page time.
        pauseMs: 50 * slowdown,
      });
      const shown = await readShown(page);
      const { framesPerSecond } = describeRecording(
        await recordingOf({ run: (expression) => page.evaluate(expression) }),
      );
      const what = JSON.stringify([walk, shown, framesPerSecond]);
      const said = new Set(shown.flatMap(({ note, title }) => [note, title]));
      const saysSlow = said.has(en.stage.slow) || said.has(en.retry.reasons.too_slow.title);
      if (framesPerSecond < ENOUGH_FPS) expect(saysSlow, what).toBe(true);
      // Nothing is wrong with the connection: a recording that came too late is the device's fault.
      expect(said, what).not.toContain(en.retry.reasons.upload_lost.title);
      // The first note about the picture does not wait for the detector.
      const hinted = shown.find(({ screen, hint }) => screen === 'position' && hint !== 'none');
      expect(hinted, what).toMatchObject({ note: en.stage.loadingHints });
      // Six times slower is an old phone, which reaches the end.
      if (slowdown === 6) expect(walk.end, what).toBe('done');
      else expect(['done', 'retry'], what).toContain(walk.end);
      // The page begins no recording that the device cannot make, so that tries remain for another device.
      const recordings = walk.screens.filter((screen) => screen === 'recording').length;
      if (walk.end === 'retry') expect(recordings, what).toBeLessThan(RETRIES);
    },
    SLOW_TIMEOUT_MS,
  );
});
