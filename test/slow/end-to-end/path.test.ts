// The path, end to end: a person follows the mark in the page with the nose.
import { describe, expect, it } from 'vitest';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`a path to follow${why}`, () => {
  const journey = useJourney({ LIVENESS_PROMPTS: 'neutral,smile,path,turn_left,turn_right' });

  const create = () => journey.api.create({ liveness_only: true, require_consent: false });

  it(
    'is passed by a person whose nose follows the mark',
    async () => {
      const challenge = await create();
      const context = await journey.phone({ who: 'following' });
      const page = await context.newPage();
      const walk = await takeChallenge(page, challenge.challenge_url, {
        timeoutMs: TAKE_TIMEOUT_MS,
        onScreen: async (name) => {
          if (name !== 'recording') return;
          await page.waitForSelector('.path:not([hidden])', { timeout: 30_000 });
          await page.waitForTimeout(2_000);
          await leaveScreenshot(page, 'path-followed');
        },
      });
      await context.close();
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      const what = JSON.stringify(result.diagnostics);
      expect(walk, what).toMatchObject({ end: 'done', startedByHand: 0 });
      expect(result, what).toMatchObject({ overall_result: 'pass', liveness_result: { smile: true } });
    },
    TAKE_TIMEOUT_MS,
  );
});
