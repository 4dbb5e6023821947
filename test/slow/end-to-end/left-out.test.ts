// People who cannot turn the head or smile, end to end: a tick, a script without it, a pass that says so.

import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { LivenessLevel } from '../../../src/contract/liveness-level.ts';
import { readTexts } from '../../../web/capture/build/messages.ts';
import type { Cannot } from '../../../web/capture/flow/screens.ts';
import type { CameraSubject } from '../../support/camera-film.ts';
import { goOn } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { TAKE_TIMEOUT_MS, type Take, useJourney } from '../../support/journey.ts';
import { leaveScreenshot, untilScreen } from '../../web/support/browser.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
const en = readTexts('en');

describe.skipIf(!HAS_FACES)(`what a person cannot do${why}`, () => {
  const journey = useJourney({});
  let context: BrowserContext;
  afterEach(() => context?.close());

  async function open(
    flow_behaviour: object,
    {
      level = 'quick',
      screen = 'start',
      ...take
    }: Take & { level?: LivenessLevel; screen?: 'start' | 'privacy' } = {},
  ) {
    const body = {
      liveness_only: true,
      require_consent: screen === 'privacy',
      liveness_level: level,
      flow_behaviour,
    };
    const challenge = await journey.api.create(body);
    context = await journey.phone({ who: 'turning', ...take });
    const page = await context.newPage();
    await page.goto(challenge.challenge_url);
    await untilScreen(page, screen);
    return { challenge, page };
  }

  it.each<[AccessibleWay, LivenessLevel, Cannot]>([
    ['without_turns', 'quick', 'turn'],
    ['without_smile', 'quick', 'smile'],
    ['without_smile', 'standard', 'smile'],
  ])(
    'is left out (%s, at level %s), and the result says so',
    async (way, level, ticked) => {
      const { challenge, page } = await open({ accessible_way: 'passive' }, { level });
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
      const { challenge, page } = await open({ accessible_way: 'passive' }, { who });
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
    expect(await actionsOf(page)).toEqual(['START', 'leave-check']);
    await context.close();
    const closed = await open({ accessible_way: 'none' });
    expect(await closed.page.$$('[data-action^=cannot-]')).toEqual([]);
  });

  it.each(['one_kind', 'passive'])(
    'leads who can do neither to the client’s other way first, on every screen before a recording (%s)',
    async (accessible_way) => {
      const alternative_url = 'https://client.example/branch?id=1';
      const behaviour = { accessible_way, alternative_url };
      /** What is offered once both boxes are ticked, and again without them. */
      const offered = async (page: Page, usual: string[], first: string[], capture: string) => {
        expect(await actionsOf(page)).toEqual(usual);
        await page.check('[data-action=cannot-turn]');
        // More actions at the window's foot must not cover the boxes right above them.
        await page.evaluate(`scrollBy(0, document.querySelector('.cannot').getBoundingClientRect().bottom
          - document.querySelector('.actions').getBoundingClientRect().top)`);
        await page.check('[data-action=cannot-smile]');
        const second = accessible_way === 'passive' ? [capture] : [];
        expect(await actionsOf(page)).toEqual(['ANOTHER-WAY', ...second, ...first]);
        const tops = ['cannot-smile', 'another-way'].map(async (action) => {
          const { y, height } = (await page.locator(`[data-action=${action}]:visible`).boundingBox())!;
          return action === 'another-way' ? y : y + height;
        });
        const [boxesEnd, actionsBegin] = await Promise.all(tops);
        expect(boxesEnd, 'what was ticked is covered').toBeLessThanOrEqual(actionsBegin!);
        await leaveScreenshot(page, `neither-${accessible_way}-${capture}`);
        expect(await page.getAttribute('[data-action=another-way]:visible', 'href')).toBe(alternative_url);
        for (const what of ['turn', 'smile']) await page.uncheck(`[data-action=cannot-${what}]`);
        expect(await actionsOf(page)).toEqual(usual);
      };
      const small = { width: 360, height: 640 };
      const start = await open(behaviour);
      await start.page.setViewportSize(small);
      await offered(start.page, ['START', 'leave-check'], ['leave-check'], 'start');
      await context.close();

      const { page } = await open(behaviour, { behaviour: 'never moves', screen: 'privacy' });
      await page.setViewportSize(small);
      await offered(page, ['AGREE', 'decline'], ['decline'], 'agree');
      expect(await page.locator('[data-action=another-way]').isVisible()).toBe(true);
      await page.click('[data-action=agree]');
      await untilScreen(page, 'retry', 60_000);
      await offered(page, ['TRY-AGAIN', 'another-way'], [], 'try-again');
    },
    TAKE_TIMEOUT_MS,
  );
});

/** What a screen offers beside a phone, in order; the primary action in capitals. */
function actionsOf(page: Page): Promise<string[]> {
  return page.locator('.actions .button:visible:not([data-action=use-phone])').evaluateAll((buttons) =>
    buttons.map((each) => {
      const action = each.getAttribute('data-action')!;
      return each.classList.contains('button--primary') ? action.toUpperCase() : action;
    }),
  );
}
