// People who cannot turn the head or smile, end to end: a tick, a script without it, a pass that says so.

import type { BrowserContext } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { LivenessLevel } from '../../../src/contract/liveness-level.ts';
import { readTexts } from '../../../web/capture/build/messages.ts';
import type { Cannot } from '../../../web/capture/flow/screens.ts';
import type { CameraSubject } from '../../support/camera-film.ts';
import { goOn } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
const en = readTexts('en');

describe.skipIf(!HAS_FACES)(`what a person cannot do${why}`, () => {
  const journey = useJourney({});
  let context: BrowserContext;
  afterEach(() => context?.close());

  async function open(
    flow_behaviour: object,
    who: CameraSubject = 'turning',
    liveness_level: LivenessLevel = 'quick',
  ) {
    const body = { liveness_only: true, require_consent: false, liveness_level, flow_behaviour };
    const challenge = await journey.api.create(body);
    context = await journey.phone({ who });
    const page = await context.newPage();
    await page.goto(challenge.challenge_url);
    await page.waitForSelector('html[data-state=start]', { state: 'attached' });
    return { challenge, page };
  }

  it.each<[AccessibleWay, LivenessLevel, Cannot]>([
    ['without_turns', 'quick', 'turn'],
    ['without_smile', 'quick', 'smile'],
    ['without_smile', 'standard', 'smile'],
  ])(
    'is left out (%s, at level %s), and the result says so',
    async (way, level, ticked) => {
      const { challenge, page } = await open({ accessible_way: 'passive' }, 'turning', level);
      await page.check(`[data-action=cannot-${ticked}]`);
      await leaveScreenshot(page, `left-out-${way}`);
      const walk = await goOn(page, { timeoutMs: TAKE_TIMEOUT_MS });
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      const what = JSON.stringify([walk, result.diagnostics]);
      expect(result, what).toMatchObject({
        liveness_level: level,
        overall_result: 'pass',
        liveness_result: { smile: way === 'without_turns', overall: true },
        diagnostics: { accessible_way: way },
      });
    },
    TAKE_TIMEOUT_MS,
  );

  it.each<[string, CameraSubject, object]>([
    [
      'a face that lives',
      'talking',
      { overall_result: 'pass', liveness_result: { smile: false, overall: true } },
    ],
    [
      'but not for one that keeps as still as a picture',
      'turning',
      { overall_result: 'fail', diagnostics: { reasons: expect.arrayContaining(['too_still']) } },
    ],
  ])(
    'is left out entirely, %s',
    async (_, who, expected) => {
      const { challenge, page } = await open({ accessible_way: 'passive' }, who);
      for (const what of ['turn', 'smile']) await page.check(`[data-action=cannot-${what}]`);
      const walk = await goOn(page, { timeoutMs: TAKE_TIMEOUT_MS });
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      const what = JSON.stringify([walk, result.diagnostics]);
      expect(result, what).toMatchObject(expected);
      expect(result.diagnostics.accessible_way).toBe('passive');
    },
    TAKE_TIMEOUT_MS,
  );

  it('is one of the two where the client wants one, and nothing where it wants both', async () => {
    const { page } = await open({ accessible_way: 'one_kind' });
    await page.check('[data-action=cannot-turn]');
    await page.check('[data-action=cannot-smile]');
    expect(await page.isChecked('[data-action=cannot-turn]')).toBe(false);
    expect(await page.textContent('.cannot')).toContain(
      en.cannot.neither({ account: (await page.textContent('.bar__name'))!.trim() }),
    );
    await context.close();
    const closed = await open({ accessible_way: 'none' });
    expect(await closed.page.$$('[data-action^=cannot-]')).toEqual([]);
  });
});
